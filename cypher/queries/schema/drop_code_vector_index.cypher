// Drops the vector index over Code nodes, so that one of another dimension can take its place.
// params:
// returns:
// access: write
DROP INDEX code_vector IF EXISTS
