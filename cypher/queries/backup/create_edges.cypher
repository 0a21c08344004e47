// Creates those of these edges that are not there; none to a candidate of which more is said already.
// params: rows
// returns: created
// access: write
UNWIND $rows AS row
MATCH (a) WHERE elementId(a) = row.start
MATCH (b) WHERE elementId(b) = row.end
WITH a, b, row
WHERE NOT EXISTS { MATCH (a)-[r]->(b) WHERE type(r) = row.type }
  AND NOT (row.type = 'MAY_BE_IMPLEMENTED_BY' AND EXISTS { (a)-[:IMPLEMENTED_BY|NOT_IMPLEMENTED_BY]->(b) })
CREATE (a)-[r:$(row.type)]->(b)
SET r = row.properties
RETURN count(r) AS created
