// Deletes nodes with all their edges; concepts that lose a technique are marked.
// params: elements
// returns: deleted
// access: write
UNWIND $elements AS element
MATCH (n) WHERE elementId(n) = element
CALL (n) {
  MATCH (n)-[:INSTANCE_OF]->(c:Concept)
  SET c.unjoined = true
  RETURN count(c) AS left
}
DETACH DELETE n
RETURN count(*) AS deleted
