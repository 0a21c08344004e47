// Writes down a curator's decision on one item of the review; there is one of each item.
// params: id, properties
// returns: id
// access: write
MERGE (d:Decision {id: $id})
SET d += $properties
RETURN d.id AS id
