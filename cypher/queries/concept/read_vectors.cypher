// The vectors of some techniques.
// params: ids
// returns: id, vector
// access: read
UNWIND $ids AS id
MATCH (t:Technique {id: id}) WHERE t.embedding IS NOT NULL
RETURN id, t.embedding AS vector
