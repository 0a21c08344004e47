// The vector index over Technique nodes for a model of the given dimension.
// params: dimension
// returns:
// access: write
CREATE VECTOR INDEX technique_vector IF NOT EXISTS FOR (n:Technique) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: $dimension, `vector.similarity_function`: 'cosine'}}
