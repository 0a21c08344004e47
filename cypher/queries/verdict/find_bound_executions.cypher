// Executions that only these nodes rest on.
// params: elements
// returns: id, element
// access: read
UNWIND $elements AS code
MATCH (c:Code)-[:VERIFIED_BY]->(e:Execution) WHERE elementId(c) = code
WITH DISTINCT e
WHERE NOT EXISTS { MATCH (o:Code)-[:VERIFIED_BY]->(e) WHERE NOT elementId(o) IN $elements }
RETURN e.id AS id, elementId(e) AS element
ORDER BY id
