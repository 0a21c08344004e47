// Creates nodes, each with its label and those (`more`) that say what it is, and gives those that have one their vector as 32-bit floats.
// params: rows
// returns: label, id, element
// access: write
UNWIND $rows AS row
CREATE (n:$([row.label] + coalesce(row.more, [])))
SET n = row.properties
WITH n, row
CALL (n, row) {
  WITH n, row WHERE row.vector IS NOT NULL
  CALL db.create.setNodeVectorProperty(n, 'embedding', row.vector)
}
RETURN row.label AS label, n.id AS id, elementId(n) AS element
