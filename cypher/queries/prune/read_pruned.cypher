// What was pruned of papers (of all, if null), at which level and of which sources.
// params: papers
// returns: id, pruned, level, sources
// access: read
CALL () {
  UNWIND $papers AS id
  MATCH (p:Paper {id: id}) RETURN p
  UNION
  UNWIND CASE WHEN $papers IS NULL THEN [1] END AS _
  MATCH (p:Paper) RETURN p
}
WITH p WHERE p.pruned IS NOT NULL
RETURN p.id AS id, p.pruned AS pruned, coalesce(p.pruned_level, 'grounded') AS level,
       coalesce(p.pruned_sources, '') AS sources
ORDER BY id
