// Code that says it is from a repository, and has no edge to one; and code that is neither in one nor imported.
// params: limit
// returns: label, id, detail
// access: read
MATCH (n:Code)
WHERE NOT EXISTS { (n)-[:FROM_REPOSITORY]->(:Repository) } AND (n.repository IS NOT NULL OR n.origin = 'extracted')
RETURN 'Code' AS label, n.id AS id, 'is of no repository' AS detail
ORDER BY id
LIMIT $limit
