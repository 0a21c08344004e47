// What a search result says of code: where it stands, under which licence, what its verdict is, what it (likely) implements.
// params: ids, withheld
// returns: id, name, text, imported, kind, language, origin, role, verdict, verdict_reason, test_state, licence, repository, url, commit, file, line, end_line, signature, implements, likely
// access: read
UNWIND $ids AS id
MATCH (c:Code {id: id})
WHERE NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
OPTIONAL MATCH (c)-[:FROM_REPOSITORY]->(r:Repository)
RETURN c.id AS id, CASE WHEN coalesce(c.symbol, '') = '' THEN coalesce(c.name, '') ELSE c.symbol END AS name,
       left(coalesce(c.documentation, ''), 1000) AS text, coalesce(c.extraction_method = 'import', false) AS imported,
       coalesce(c.kind, '') AS kind, coalesce(c.language, '') AS language, coalesce(c.origin, '') AS origin, coalesce(c.role, '') AS role,
       coalesce(c.verdict, 'unverified') AS verdict, coalesce(c.verdict_reason, '') AS verdict_reason, c.test_state AS test_state,
       c.licence AS licence, c.repository AS repository, r.url AS url, c.commit AS commit,
       coalesce(c.file, '') AS file, coalesce(c.line, 0) AS line, coalesce(c.end_line, 0) AS end_line,
       coalesce(c.signature, '') AS signature,
       COLLECT {
         MATCH (t:Technique)-[:IMPLEMENTED_BY]->(c)
         WHERE NONE(x IN $withheld.prefixes WHERE t.id + '#' STARTS WITH x)
         RETURN t.name ORDER BY t.name LIMIT 5
       } AS implements,
       COLLECT {
         MATCH (t:Technique)-[:MAY_BE_IMPLEMENTED_BY {standing: 'likely'}]->(c)
         WHERE NONE(x IN $withheld.prefixes WHERE t.id + '#' STARTS WITH x)
         RETURN t.name ORDER BY t.name LIMIT 5
       } AS likely
