// The vector index over Paper nodes for a model of the given dimension.
// params: dimension
// returns:
// access: write
CREATE VECTOR INDEX paper_vector IF NOT EXISTS FOR (n:Paper) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: $dimension, `vector.similarity_function`: 'cosine'}}
