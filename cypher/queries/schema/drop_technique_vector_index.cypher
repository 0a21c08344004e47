// Drops the vector index over Technique nodes, so that one of another dimension can take its place.
// params:
// returns:
// access: write
DROP INDEX technique_vector IF EXISTS
