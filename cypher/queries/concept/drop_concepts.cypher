// Deletes concepts; their techniques stay.
// params: ids
// returns: id
// access: write
UNWIND $ids AS id
MATCH (c:Concept {id: id})
DETACH DELETE c
RETURN id
