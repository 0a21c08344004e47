// The embedding model whose vectors this graph holds; no row before the first vector.
// params:
// returns: model_id, dimension
// access: read
MATCH (i:IndexInfo {id: 'vectors'})
RETURN i.model_id AS model_id, i.dimension AS dimension
