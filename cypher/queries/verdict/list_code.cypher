// Code to be judged, the best grounded first: that of these ids; or what the techniques of these papers (of all, if null)
// have as theirs or among their first three candidates that are no tests, with everything imported; or, if everything is
// asked for, all functions, classes and methods of the papers' own sources as well.
// params: ids, papers, everything, withheld
// returns: id, rank, name, kind, origin, repository, commit, text_sha256, verdict, verdict_reason, program, unfinished, failure, line, test_kind, test_model, test_state, mutants, killed, survivors, claimed, execution
// access: read
CALL () {
  UNWIND $ids AS id
  MATCH (c:Code {id: id}) RETURN c
  UNION
  UNWIND CASE WHEN $ids IS NULL THEN $papers END AS paper
  MATCH (t:Technique)-[:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c:Code) WHERE t.id STARTS WITH paper + '#' RETURN c
  UNION
  UNWIND CASE WHEN $ids IS NULL AND $everything THEN $papers END AS paper
  MATCH (:Paper {id: paper})-[:HAS_REPOSITORY]->(o:Repository)
  MATCH (c:Code {repository: o.id}) RETURN c
  UNION
  UNWIND CASE WHEN $ids IS NULL AND $papers IS NULL THEN [1] END AS _
  MATCH (c:Code) RETURN c
}
WITH c WHERE NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
OPTIONAL MATCH (t:Technique)-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c)
WHERE $papers IS NULL OR t.paper IN $papers
WITH c, min(CASE WHEN type(r) = 'IMPLEMENTED_BY' THEN 0 ELSE r.rank END) AS rank
WHERE $ids IS NOT NULL OR rank = 0 OR (rank <= 3 AND coalesce(c.role, '') <> 'test') OR ($papers IS NULL AND c.origin = 'imported')
   OR ($everything AND c.role = 'source' AND c.kind IN ['function', 'class', 'method']
       AND ($papers IS NULL OR EXISTS {
         MATCH (p:Paper)-[h:HAS_REPOSITORY]->(:Repository {id: c.repository})
         WHERE p.id IN $papers AND h.commit = c.commit
       }))
RETURN c.id AS id, rank, CASE WHEN coalesce(c.symbol, '') = '' THEN coalesce(c.name, '') ELSE c.symbol END AS name,
       coalesce(c.kind, '') AS kind, coalesce(c.origin, '') AS origin, c.repository AS repository, c.commit AS commit,
       c.text_sha256 AS text_sha256, coalesce(c.verdict, 'unverified') AS verdict,
       coalesce(c.verdict_reason, '') AS verdict_reason, c.verdict_program AS program,
       coalesce(c.verdict_unfinished, false) AS unfinished, c.failure_class AS failure,
       c.failure_line AS line, c.test_kind AS test_kind, c.test_model AS test_model, c.test_state AS test_state,
       coalesce(c.mutants, 0) AS mutants, coalesce(c.killed, 0) AS killed, coalesce(c.survivors, []) AS survivors, c.claimed_pass_exec AS claimed,
       head(COLLECT { MATCH (c)-[:VERIFIED_BY {current: true}]->(e:Execution) RETURN e.id }) AS execution
ORDER BY coalesce(rank, 1000000), id
