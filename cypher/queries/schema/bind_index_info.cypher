// Binds the graph's vectors to one embedding model, unless they are bound already; returns the model in force.
// params: model_id, dimension
// returns: model_id, dimension
// access: write
MERGE (i:IndexInfo {id: 'vectors'})
ON CREATE SET i.model_id = $model_id, i.dimension = $dimension, i.name = 'vectors of ' + $model_id
RETURN i.model_id AS model_id, i.dimension AS dimension
