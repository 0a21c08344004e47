// Code that was judged, by what its verdict rests on: what a new ingest must compare.
// params:
// returns: id, repository, commit
// access: read
MATCH (c:Code)
WHERE c.verdict_basis IS NOT NULL AND c.repository IS NOT NULL AND c.commit IS NOT NULL
RETURN c.id AS id, c.repository AS repository, c.commit AS commit
ORDER BY id
