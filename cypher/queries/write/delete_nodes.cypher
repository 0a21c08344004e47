// Deletes nodes with all their edges.
// params: elements
// returns: deleted
// access: write
UNWIND $elements AS element
MATCH (n) WHERE elementId(n) = element
DETACH DELETE n
RETURN count(*) AS deleted
