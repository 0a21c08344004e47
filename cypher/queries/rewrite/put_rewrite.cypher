// Puts a rewrite into the graph, or another in its place, whose former verdict is over; none if the code that it was
// made from is gone or has changed.
// params: id, properties, source, source_text, techniques, parts, edge
// returns: id
// access: write
MATCH (c:Code {id: $source}) WHERE c.implementation = $source_text
MERGE (w:Code {id: $id})
SET w = $properties, w.id = $id
REMOVE w:Verified:Failed:Stale
WITH w, c
CALL (w) {
  OPTIONAL MATCH (w)-[old:REWRITTEN_FROM|REWRITTEN_FOR|REUSES|FROM_REPOSITORY]->()
  DELETE old
}
CALL (w) {
  OPTIONAL MATCH (w)-[former:VERIFIED_BY]->()
  SET former.current = false
}
CREATE (w)-[from:REWRITTEN_FROM]->(c)
SET from = $edge
WITH w
CALL (w) {
  MATCH (r:Repository {id: w.repository})
  CREATE (w)-[home:FROM_REPOSITORY]->(r)
  SET home = $edge
}
CALL (w) {
  UNWIND $techniques AS technique
  MATCH (t:Technique {id: technique})
  CREATE (w)-[for:REWRITTEN_FOR]->(t)
  SET for = $edge
}
CALL (w) {
  UNWIND $parts AS part
  MATCH (o:Code {id: part})
  CREATE (w)-[uses:REUSES]->(o)
  SET uses = $edge
}
RETURN w.id AS id
