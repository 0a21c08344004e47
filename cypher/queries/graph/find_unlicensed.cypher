// Repositories and code whose licence is not known: their text may not be passed on.
// params: limit
// returns: label, id, detail
// access: read
MATCH (r:Repository)
OPTIONAL MATCH (c:Code)-[:FROM_REPOSITORY]->(r)
WHERE c.licence IS NULL OR c.licence = 'unknown'
WITH r, count(c) AS missing
WHERE missing > 0 OR r.licence IS NULL OR r.licence = 'unknown'
RETURN 'Repository' AS label, r.id AS id, toString(missing) + ' code nodes have no recognised licence' AS detail
ORDER BY id
LIMIT $limit
