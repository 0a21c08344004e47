// Drops the vector index over Paper nodes, so that one of another dimension can take its place.
// params:
// returns:
// access: write
DROP INDEX paper_vector IF EXISTS
