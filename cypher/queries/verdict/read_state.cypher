// What a judgement must be compared with before it is written: the code as the graph holds it now.
// params: id
// returns: id, element, origin, implementation, properties
// access: read
MATCH (c:Code {id: $id})
RETURN c.id AS id, elementId(c) AS element, coalesce(c.origin, '') AS origin,
       coalesce(c.implementation, '') AS implementation, c {.*, embedding: null} AS properties
