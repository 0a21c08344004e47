// Drops the vector index over Section nodes, so that one of another dimension can take its place.
// params:
// returns:
// access: write
DROP INDEX section_vector IF EXISTS
