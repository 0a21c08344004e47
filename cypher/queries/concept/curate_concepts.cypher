// Marks concepts as a curator's.
// params: ids
// returns: id
// access: write
UNWIND $ids AS id
MATCH (c:Concept {id: id})
SET c.curated = true
RETURN id
