// The code of a technique: what is asserted, then what is likely, then what is only a candidate, each with its evidence;
// a curator's first, then as they were ranked.
// params: id, withheld
// returns: id, name, score, level, verdict, licence, repository, commit, file, line, end_line, standing, rank, confidence, method, why, reason, verdict_reason, test_kind, mutants, killed, origin, language, signature, part, quotes, realises, disagrees
// access: read
MATCH (t:Technique {id: $id})-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c:Code)
WHERE NONE(x IN $withheld.prefixes WHERE t.id + '#' STARTS WITH x)
  AND NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
RETURN c.id AS id, CASE WHEN coalesce(c.symbol, '') = '' THEN coalesce(c.name, '') ELSE c.symbol END AS name,
       r.score AS score, r.level AS level, coalesce(c.verdict, 'unverified') AS verdict, c.licence AS licence,
       c.repository AS repository, c.commit AS commit, c.file AS file, c.line AS line, c.end_line AS end_line,
       CASE type(r) WHEN 'IMPLEMENTED_BY' THEN 'asserted' ELSE coalesce(r.standing, 'candidate') END AS standing,
       r.rank AS rank, r.confidence AS confidence, r.method AS method,
       [key IN keys(r) WHERE key STARTS WITH 'why_' | {name: substring(key, 4), share: r[key]}] AS why, r.reason AS reason, coalesce(c.verdict_reason, '') AS verdict_reason, c.test_kind AS test_kind,
       coalesce(c.mutants, 0) AS mutants, coalesce(c.killed, 0) AS killed, c.origin AS origin,
       c.language AS language, coalesce(c.signature, '') AS signature, r.part AS part,
       coalesce(r.quotes, []) AS quotes, coalesce(r.realises, []) AS realises, coalesce(r.disagrees, false) AS disagrees
ORDER BY CASE standing WHEN 'asserted' THEN 0 WHEN 'likely' THEN 1 ELSE 2 END,
         method <> 'curator', coalesce(rank, 1), id
