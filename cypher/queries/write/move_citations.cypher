// Lets papers cite another node of the same work, unless they do already.
// params: rows
// returns: moved
// access: write
UNWIND $rows AS row
MATCH (p) WHERE elementId(p) = row.citing
MATCH (c) WHERE elementId(c) = row.cited
MERGE (p)-[r:CITES]->(c)
ON CREATE SET r = row.properties
RETURN count(r) AS moved
