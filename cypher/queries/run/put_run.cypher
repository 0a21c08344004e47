// Puts a run of an agent into the graph, or what is known of it now in its place: tied to the paper that it replicates,
// and to each of the nodes that it was shown. Nothing if the paper is gone.
// params: id, properties, paper, used
// returns: id, used
// access: write
MATCH (p:Paper {id: $paper})
MERGE (r:Run {id: $id})
SET r = $properties, r.id = $id
MERGE (r)-[:TARGETS]->(p)
WITH r
CALL (r) {
  OPTIONAL MATCH (r)-[old:USED]->()
  DELETE old
}
CALL (r) {
  UNWIND $used AS row
  MATCH (n:Paper|Section|Equation|Algorithm|Figure|Table|Technique|Code {id: row.id})
  CREATE (r)-[:USED {times: row.times}]->(n)
  RETURN count(n) AS tied
}
RETURN r.id AS id, tied AS used
