// What was pruned of papers (of all, if null), at which level and of which sources.
// params: papers
// returns: id, pruned, level, sources
// access: read
MATCH (p:Paper)
WHERE p.pruned IS NOT NULL AND ($papers IS NULL OR p.id IN $papers)
RETURN p.id AS id, p.pruned AS pruned, coalesce(p.pruned_level, 'grounded') AS level,
       coalesce(p.pruned_sources, '') AS sources
ORDER BY id
