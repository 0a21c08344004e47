// The code asserted for the techniques of a paper, the best first.
// params: paper, withheld
// returns: technique, id, implementation, test, documentation, requirements, claimed, verdict, ran, origin, licence, repository, commit, file, line, end_line, keys, rest
// access: read
MATCH (t:Technique) WHERE t.id STARTS WITH $paper + '#' AND NONE(x IN $withheld.prefixes WHERE t.id + '#' STARTS WITH x)
MATCH (t)-[r:IMPLEMENTED_BY]->(c:Code)
WHERE NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
RETURN t.id AS technique, c.id AS id, coalesce(c.implementation, '') AS implementation, coalesce(c.test, '') AS test,
       coalesce(c.documentation, '') AS documentation, coalesce(c.requirements, []) AS requirements,
       c.claimed_pass_exec AS claimed, coalesce(c.verdict, 'unverified') AS verdict,
       head(COLLECT {
         MATCH (c)-[:VERIFIED_BY {current: true}]->(e:Execution)
         RETURN coalesce(e.exit_code = 0, false) AND e.signal IS NULL AND e.limit IS NULL
       }) AS ran, coalesce(c.origin, '') AS origin,
       c.licence AS licence, c.repository AS repository, c.commit AS commit, c.file AS file, c.line AS line,
       c.end_line AS end_line, c.xkg_json_keys AS keys, c.xkg_json_rest AS rest
ORDER BY technique, coalesce(r.rank, 1), coalesce(r.score, 1.0) DESC, id
