// Implementations without a score between 0 and 1, a method, or a rank.
// params: limit
// returns: label, id, detail
// access: read
MATCH (t:Technique)-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c:Code)
WHERE r.score IS NULL OR r.method IS NULL OR r.rank IS NULL OR r.score < 0 OR r.score > 1
RETURN 'Technique' AS label, t.id AS id, 'has no sound score, method or rank for ' + c.id AS detail
ORDER BY id
LIMIT $limit
