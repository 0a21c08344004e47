// Replaces the properties of edges.
// params: rows
// returns: updated
// access: write
UNWIND $rows AS row
MATCH ()-[r]->() WHERE elementId(r) = row.element
SET r = row.properties
RETURN count(r) AS updated
