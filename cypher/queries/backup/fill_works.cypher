// Makes papers of works that were only cited: they keep who cites them, and say what the rows say.
// params: rows
// returns: label, id, element
// access: write
UNWIND $rows AS row
MATCH (n) WHERE elementId(n) = row.element
SET n = row.properties, n:Paper
REMOVE n:CitedWork
WITH n, row
CALL (n, row) {
  WITH n, row WHERE row.vector IS NOT NULL
  CALL db.create.setNodeVectorProperty(n, 'embedding', row.vector)
}
RETURN row.label AS label, n.id AS id, elementId(n) AS element
