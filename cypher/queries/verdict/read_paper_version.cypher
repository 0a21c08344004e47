// The version of a paper that the graph holds.
// params: id
// returns: version
// access: read
MATCH (p:Paper {id: $id})
RETURN p.version AS version
