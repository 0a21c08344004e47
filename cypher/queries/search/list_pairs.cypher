// Techniques with code that is called verified, asserted or likely, where technique or code is among those of these ids.
// params: techniques, code, only, withheld
// returns: kind, language, origin, role, verdict, verdict_reason, test_state, licence, repository, url, commit, file, line, end_line, signature, technique, technique_name, definition, paper, paper_title, standing, score, id, name, imported
// access: read
CALL () {
  UNWIND $techniques AS technique
  MATCH (t:Technique {id: technique})-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c:Code {verdict: 'verified'})
  RETURN t, r, c
  UNION
  UNWIND $code AS code
  MATCH (t:Technique)-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c:Code {id: code, verdict: 'verified'})
  RETURN t, r, c
}
WITH t, r, c
WHERE (type(r) = 'IMPLEMENTED_BY' OR r.standing = 'likely')
  AND NONE(x IN $withheld.prefixes WHERE t.id + '#' STARTS WITH x)
  AND NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
  AND ($only.papers = [] OR t.paper IN $only.papers)
  AND ($only.licences = [] OR toLower(coalesce(c.licence, 'none')) IN $only.licences)
  AND ($only.languages = [] OR toLower(coalesce(c.language, '')) IN $only.languages)
OPTIONAL MATCH (c)-[:FROM_REPOSITORY]->(o:Repository)
OPTIONAL MATCH (p:Paper {id: t.paper})
RETURN coalesce(c.kind, '') AS kind, coalesce(c.language, '') AS language, coalesce(c.origin, '') AS origin,
       coalesce(c.role, '') AS role, c.verdict AS verdict, coalesce(c.verdict_reason, '') AS verdict_reason, c.test_state AS test_state,
       c.licence AS licence, c.repository AS repository, o.url AS url, c.commit AS commit,
       coalesce(c.file, '') AS file, coalesce(c.line, 0) AS line, coalesce(c.end_line, 0) AS end_line,
       coalesce(c.signature, '') AS signature, t.id AS technique, coalesce(t.name, '') AS technique_name,
       coalesce(t.definition, '') AS definition, coalesce(t.paper, '') AS paper, coalesce(p.title, '') AS paper_title,
       CASE type(r) WHEN 'IMPLEMENTED_BY' THEN 'asserted' ELSE 'likely' END AS standing, CASE r.method WHEN 'curator' THEN 1.0 WHEN 'llm' THEN coalesce(r.confidence, r.score) ELSE r.score END AS score, c.id AS id,
       CASE WHEN coalesce(c.symbol, '') = '' THEN coalesce(c.name, '') ELSE c.symbol END AS name,
       coalesce(c.extraction_method = 'import', false) AS imported
ORDER BY standing, score DESC, technique, id
