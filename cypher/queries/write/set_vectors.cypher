// Gives nodes their vectors, stored as 32-bit floats.
// params: rows, model_id
// returns: updated
// access: write
UNWIND $rows AS row
MATCH (n) WHERE elementId(n) = row.element
CALL db.create.setNodeVectorProperty(n, 'embedding', row.vector)
SET n.embedding_model = $model_id
RETURN count(n) AS updated
