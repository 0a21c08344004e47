// Whether a run is known.
// params: id
// returns: id
// access: read
MATCH (n:Run {id: $id})
RETURN n.id AS id
