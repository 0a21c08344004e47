// What a search result says of techniques: their paper, the code that is asserted and that is likely, how many candidates.
// params: ids, withheld
// returns: id, name, text, imported, kind, aliases, paper, paper_title, candidates, code, likely
// access: read
UNWIND $ids AS id
MATCH (t:Technique {id: id})
WHERE NONE(x IN $withheld.prefixes WHERE t.id + '#' STARTS WITH x)
OPTIONAL MATCH (p:Paper {id: t.paper})
RETURN t.id AS id, t.name AS name, left(coalesce(t.definition, ''), 1000) AS text,
       coalesce(t.extraction_method = 'import', false) AS imported, t.kind AS kind,
       coalesce(t.aliases, []) AS aliases, coalesce(t.paper, '') AS paper, coalesce(p.title, '') AS paper_title,
       COUNT {
         MATCH (t)-[:MAY_BE_IMPLEMENTED_BY]->(c:Code)
         WHERE NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
       } AS candidates,
       COLLECT {
         MATCH (t)-[r:IMPLEMENTED_BY]->(c:Code)
         WHERE NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
         RETURN {id: c.id, name: CASE WHEN coalesce(c.symbol, '') = '' THEN c.name ELSE c.symbol END, score: coalesce(CASE r.method WHEN 'curator' THEN 1.0 WHEN 'llm' THEN coalesce(r.confidence, r.score) ELSE r.score END, 1.0), level: coalesce(r.level, 'unit'),
                 verdict: coalesce(c.verdict, 'unverified'), licence: c.licence, repository: c.repository,
                 commit: c.commit, file: c.file, line: c.line, end_line: c.end_line} AS implementation
         ORDER BY r.method <> 'curator', coalesce(r.rank, 1), implementation.id
         LIMIT 3
       } AS code,
       COLLECT {
         MATCH (t)-[r:MAY_BE_IMPLEMENTED_BY {standing: 'likely'}]->(c:Code)
         WHERE NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
         RETURN {id: c.id, name: CASE WHEN coalesce(c.symbol, '') = '' THEN c.name ELSE c.symbol END, score: CASE r.method WHEN 'curator' THEN 1.0 WHEN 'llm' THEN coalesce(r.confidence, r.score) ELSE r.score END,
                 level: 'unit', verdict: coalesce(c.verdict, 'unverified'), licence: c.licence, repository: c.repository,
                 commit: c.commit, file: c.file, line: c.line, end_line: c.end_line} AS implementation
         ORDER BY r.method <> 'curator', coalesce(r.rank, 1), implementation.id
         LIMIT 3
       } AS likely
