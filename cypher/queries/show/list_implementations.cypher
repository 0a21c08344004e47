// The code of a technique: what is asserted, then what is only a candidate, each with its evidence.
// params: id
// returns: id, name, asserted, rank, score, level, confidence, method, why, reason, verdict, verdict_reason, test_kind, mutants, killed, licence, origin, language, signature, repository, commit, file, line, end_line
// access: read
MATCH (t:Technique {id: $id})-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c:Code)
RETURN c.id AS id, CASE WHEN coalesce(c.symbol, '') = '' THEN c.name ELSE c.symbol END AS name,
       type(r) = 'IMPLEMENTED_BY' AS asserted, r.rank AS rank, r.score AS score, r.level AS level,
       r.confidence AS confidence, r.method AS method, r.why AS why, r.reason AS reason,
       coalesce(c.verdict, 'unverified') AS verdict, coalesce(c.verdict_reason, '') AS verdict_reason,
       c.test_kind AS test_kind, coalesce(c.mutants, 0) AS mutants, coalesce(c.killed, 0) AS killed,
       c.licence AS licence, c.origin AS origin, c.language AS language, coalesce(c.signature, '') AS signature,
       c.repository AS repository, c.commit AS commit, c.file AS file, c.line AS line, c.end_line AS end_line
ORDER BY asserted DESC, rank, id
