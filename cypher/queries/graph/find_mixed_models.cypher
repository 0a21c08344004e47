// Vectors of a model that is not the graph's, or of another length, and vectors whose model is not known.
// params: limit
// returns: label, id, detail
// access: read
OPTIONAL MATCH (i:IndexInfo {id: 'vectors'})
WITH i.model_id AS model, i.dimension AS dimension
MATCH (n:Technique|Code|Paper|Section)
WHERE n.embedding IS NOT NULL
  AND (model IS NULL OR coalesce(n.embedding_model, '') <> model OR size(n.embedding) <> dimension)
RETURN head(labels(n)) AS label, n.id AS id, 'its vector is of ' + coalesce(n.embedding_model, 'an unknown model') AS detail
ORDER BY label, id
LIMIT $limit
