// Creates nodes, each with its label and those (`more`) that say what it is, and tells how to reach them in this transaction.
// params: rows
// returns: label, id, element
// access: write
UNWIND $rows AS row
CREATE (n:$([row.label] + coalesce(row.more, [])))
SET n = row.properties
RETURN row.label AS label, n.id AS id, elementId(n) AS element
