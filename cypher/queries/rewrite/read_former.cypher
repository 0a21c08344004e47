// The seal of the verdict that a rewrite has now, before another takes its place.
// params: id
// returns: id, seal
// access: read
MATCH (w:Code {id: $id})
RETURN w.id AS id, w.verdict_seal AS seal
