// The version of a paper that the graph holds.
// params: id
// returns: version
// access: read
MATCH (p:Paper {id: $id})
WHERE p.status = 'ingested'
RETURN p.version AS version
