// Changes properties of nodes; null removes one.
// params: rows
// returns: updated
// access: write
UNWIND $rows AS row
MATCH (n) WHERE elementId(n) = row.element
SET n += row.properties
RETURN count(n) AS updated
