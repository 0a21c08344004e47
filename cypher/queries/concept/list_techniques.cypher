// Every technique that may be an instance of a concept: findings are what one paper found, so they are not.
// params:
// returns: id, name, aliases, paper, has_vector
// access: read
MATCH (t:Technique) WHERE t.kind <> 'finding'
RETURN t.id AS id, t.name AS name, coalesce(t.aliases, []) AS aliases, t.paper AS paper,
       t.embedding IS NOT NULL AS has_vector
ORDER BY id
