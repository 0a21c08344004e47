// The technique tree of a paper, flat: each technique with its parent (none at the top), its order there, the code
// that is asserted for it, and the code that is likely.
// params: paper, withheld
// returns: id, parent, order, name, gloss, imported, kind, weight, code, likely, candidates
// access: read
MATCH (t:Technique) WHERE t.id STARTS WITH $paper + '#' AND NONE(x IN $withheld.prefixes WHERE t.id + '#' STARTS WITH x)
CALL (t) {
  MATCH (:Paper {id: $paper})-[r:HAS_TECHNIQUE]->(t) RETURN null AS parent, r.order AS order
  UNION ALL
  MATCH (parent:Technique)-[r:HAS_COMPONENT]->(t) RETURN parent.id AS parent, r.order AS order
}
RETURN t.id AS id, parent, coalesce(order, 0) AS order, coalesce(t.name, '') AS name, CASE WHEN t.gloss <> t.name THEN t.gloss ELSE '' END AS gloss,
       coalesce(t.extraction_method = 'import', false) AS imported, t.kind AS kind, t.weight AS weight,
       COLLECT {
         MATCH (t)-[r:IMPLEMENTED_BY]->(c:Code)
         WHERE NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
         RETURN {id: c.id, name: CASE WHEN coalesce(c.symbol, '') = '' THEN c.name ELSE c.symbol END, score: CASE r.method WHEN 'curator' THEN 1.0 WHEN 'llm' THEN coalesce(r.confidence, r.score) ELSE r.score END,
                 level: r.level, verdict: coalesce(c.verdict, 'unverified'), licence: c.licence, repository: c.repository,
                 commit: c.commit, file: c.file, line: c.line, end_line: c.end_line} AS implementation
         ORDER BY r.method <> 'curator', coalesce(r.rank, 1), implementation.id
       } AS code,
       COLLECT {
         MATCH (t)-[r:MAY_BE_IMPLEMENTED_BY {standing: 'likely'}]->(c:Code)
         WHERE NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
         RETURN {id: c.id, name: CASE WHEN coalesce(c.symbol, '') = '' THEN c.name ELSE c.symbol END, score: CASE r.method WHEN 'curator' THEN 1.0 WHEN 'llm' THEN coalesce(r.confidence, r.score) ELSE r.score END,
                 level: 'unit', verdict: coalesce(c.verdict, 'unverified'), licence: c.licence, repository: c.repository,
                 commit: c.commit, file: c.file, line: c.line, end_line: c.end_line} AS implementation
         ORDER BY coalesce(r.rank, 1), implementation.id
       } AS likely,
       COUNT {
         MATCH (t)-[:MAY_BE_IMPLEMENTED_BY]->(c:Code)
         WHERE NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
       } AS candidates
ORDER BY order, id
