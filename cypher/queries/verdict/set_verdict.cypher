// Gives code its verdict and binds it to the execution it rests on (none if that id is null); former executions stay.
// params: element, properties, execution, edge
// returns: id, bound
// access: write
MATCH (c:Code) WHERE elementId(c) = $element
SET c += $properties
REMOVE c:Verified:Failed:Stale
SET c:$(CASE c.verdict WHEN 'verified' THEN ['Verified'] WHEN 'failed' THEN ['Failed'] WHEN 'stale' THEN ['Stale'] ELSE [] END)
WITH c
CALL (c) {
  MATCH (c)-[r:VERIFIED_BY]->(:Execution)
  SET r.current = false
  RETURN count(r) AS former
}
CALL (c) {
  MATCH (e:Execution {id: $execution})
  MERGE (c)-[r:VERIFIED_BY]->(e)
  SET r = $edge
  RETURN count(r) AS bound
}
RETURN c.id AS id, bound
