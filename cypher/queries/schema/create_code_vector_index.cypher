// The vector index over Code nodes for a model of the given dimension.
// params: dimension
// returns:
// access: write
CREATE VECTOR INDEX code_vector IF NOT EXISTS FOR (n:Code) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: $dimension, `vector.similarity_function`: 'cosine'}}
