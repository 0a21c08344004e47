// Rewrites of the code of one repository at one commit, with all their properties, the id of what they were made from
// and the hash of its text as it was then.
// params: prefix
// returns: id, source, source_sha256, properties
// access: read
MATCH (w:Code {origin: 'rewritten'})-[:REWRITTEN_FROM]->(c:Code)
WHERE w.id STARTS WITH $prefix
RETURN w.id AS id, c.id AS source, w.rewritten_sha256 AS source_sha256, w {.*, embedding: null} AS properties
ORDER BY id
