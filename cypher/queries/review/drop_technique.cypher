// Takes out of the graph what a curator says is no technique; what was below it hangs on what was above.
// params: technique
// returns: id
// access: write
MATCH (t:Technique {id: $technique})
CALL (t) {
  MATCH (p)-[up:HAS_TECHNIQUE|HAS_COMPONENT]->(t)-[down:HAS_COMPONENT]->(c)
  WHERE p <> c AND NOT EXISTS { (p)-[:HAS_TECHNIQUE|HAS_COMPONENT]->(c) }
  CREATE (p)-[n:$(type(up))]->(c)
  SET n = properties(down), n.order = up.order
  RETURN count(n) AS hung
}
CALL (t) {
  MATCH (t)-[:INSTANCE_OF]->(c:Concept)
  SET c.unjoined = true
  RETURN count(c) AS left
}
WITH t, t.id AS id
DETACH DELETE t
RETURN id
