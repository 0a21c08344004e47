// The vector index over Section nodes for a model of the given dimension.
// params: dimension
// returns:
// access: write
CREATE VECTOR INDEX section_vector IF NOT EXISTS FOR (n:Section) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: $dimension, `vector.similarity_function`: 'cosine'}}
