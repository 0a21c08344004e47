// Creates those of these edges that are not there.
// params: rows
// returns: created
// access: write
UNWIND $rows AS row
MATCH (a) WHERE elementId(a) = row.start
MATCH (b) WHERE elementId(b) = row.end
WITH a, b, row
WHERE NOT EXISTS { MATCH (a)-[r]->(b) WHERE type(r) = row.type }
CREATE (a)-[r:$(row.type)]->(b)
SET r = row.properties
RETURN count(r) AS created
