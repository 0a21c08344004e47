// One piece of code with its source, where it is from and what it is said to implement.
// params: id, withheld
// returns: kind, language, origin, role, verdict, verdict_reason, test_state, licence, repository, url, commit, file, line, end_line, signature, id, name, imported, symbol, start, end, documentation, implementation, test, requirements, claimed_pass_exec, failure_class, failure_line, test_kind, test_model, test_prompt, test_run, test_left_out, test_opened, mutants, killed, killed_by_assertion, survivors, verdict_date, text_sha256, module, module_sha256, executions, implements, uses, used_by, imports, bases, calls, member_of, members, model, rewrite, rewrites
// access: read
MATCH (c:Code {id: $id})
WHERE NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
OPTIONAL MATCH (c)-[:FROM_REPOSITORY]->(r:Repository)
RETURN coalesce(c.kind, '') AS kind, coalesce(c.language, '') AS language, coalesce(c.origin, '') AS origin,
       coalesce(c.role, '') AS role, coalesce(c.verdict, 'unverified') AS verdict,
       coalesce(c.verdict_reason, '') AS verdict_reason, c.test_state AS test_state, c.licence AS licence, c.repository AS repository,
       r.url AS url, c.commit AS commit, coalesce(c.file, '') AS file, coalesce(c.line, 0) AS line,
       coalesce(c.end_line, 0) AS end_line, coalesce(c.signature, '') AS signature, c.id AS id,
       coalesce(c.name, '') AS name, coalesce(c.extraction_method = 'import', false) AS imported, coalesce(c.symbol, '') AS symbol, c.start AS start, c.end AS end,
       coalesce(c.documentation, '') AS documentation,
       coalesce(c.implementation, '') AS implementation, coalesce(c.test, '') AS test,
       coalesce(c.requirements, []) AS requirements, c.claimed_pass_exec AS claimed_pass_exec,
       c.failure_class AS failure_class, c.failure_line AS failure_line, c.test_kind AS test_kind,
       c.test_model AS test_model, c.test_prompt AS test_prompt, c.test_run AS test_run,
       coalesce(c.test_left_out, '') AS test_left_out, coalesce(c.test_opened, []) AS test_opened,
       coalesce(c.mutants, 0) AS mutants, coalesce(c.killed, 0) AS killed,
       coalesce(c.killed_by_assertion, 0) AS killed_by_assertion, coalesce(c.survivors, []) AS survivors,
       c.verdict_date AS verdict_date, c.text_sha256 AS text_sha256, c.module AS module, c.module_sha256 AS module_sha256,
       COLLECT {
         MATCH (c)-[v:VERIFIED_BY]->(e:Execution)
         RETURN e {.id, .backend, .python, .packages, .strategy, .environment, .exit_code, .signal, .limit, .wall_s,
                   .peak_memory, .log, .code_sha256, .test_sha256, enforced: coalesce(e.enforced, []),
                   waived: coalesce(e.waived, []), current: coalesce(v.current, false), verdict: v.verdict,
                   date: v.date} AS execution
         ORDER BY execution.current DESC, execution.date DESC, execution.id
       } AS executions,
       COLLECT {
         MATCH (t:Technique)-[i:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c)
         WHERE NONE(x IN $withheld.prefixes WHERE t.id + '#' STARTS WITH x)
         RETURN {id: t.id, name: t.name, score: CASE i.method WHEN 'curator' THEN 1.0 WHEN 'llm' THEN coalesce(i.confidence, i.score) ELSE i.score END,
                 standing: CASE type(i) WHEN 'IMPLEMENTED_BY' THEN 'asserted' ELSE coalesce(i.standing, 'candidate') END,
                 rank: i.rank, level: i.level} AS technique
         ORDER BY technique.standing <> 'asserted', technique.rank, technique.id
       } AS implements,
       COLLECT {
         MATCH (c)-[:USES]->(o:Code)
         WHERE NONE(x IN $withheld.prefixes WHERE o.id + '#' STARTS WITH x)
         RETURN {id: o.id, name: coalesce(o.symbol, o.name)} AS other ORDER BY other.id
       } AS uses,
       COLLECT {
         MATCH (o:Code)-[:USES]->(c)
         WHERE NONE(x IN $withheld.prefixes WHERE o.id + '#' STARTS WITH x)
         RETURN {id: o.id, name: coalesce(o.symbol, o.name)} AS other ORDER BY other.id
       } AS used_by,
       coalesce(c.imports, []) AS imports, coalesce(c.bases, []) AS bases, coalesce(c.calls, []) AS calls,
       head(COLLECT {
         MATCH (o:Code)-[:HAS_MEMBER]->(c)
         WHERE NONE(x IN $withheld.prefixes WHERE o.id + '#' STARTS WITH x)
         RETURN {id: o.id, name: coalesce(o.symbol, o.name)} AS other ORDER BY other.id
       }) AS member_of,
       COLLECT {
         MATCH (c)-[:HAS_MEMBER]->(o:Code)
         WHERE NONE(x IN $withheld.prefixes WHERE o.id + '#' STARTS WITH x)
         RETURN {id: o.id, name: coalesce(o.symbol, o.name)} AS other ORDER BY o.line, other.id
       } AS members,
       c.model AS model,
       CASE c.origin WHEN 'rewritten' THEN {
         source: head(COLLECT { MATCH (c)-[:REWRITTEN_FROM]->(o:Code) WHERE NONE(x IN $withheld.prefixes WHERE o.id + '#' STARTS WITH x) RETURN o.id }), cause: c.rewrite_cause,
         stop: coalesce(c.rewrite_stop, ''), rounds: coalesce(c.rewrite_rounds, 0),
         changes: coalesce(c.rewrite_changes, []), lifted: coalesce(c.rewrite_lifted, []), draft: c.rewrite_draft,
         reuses: COLLECT { MATCH (c)-[:REUSES]->(o:Code) WHERE NONE(x IN $withheld.prefixes WHERE o.id + '#' STARTS WITH x) RETURN o.id ORDER BY o.id },
         techniques: COLLECT { MATCH (c)-[:REWRITTEN_FOR]->(t:Technique) WHERE NONE(x IN $withheld.prefixes WHERE t.id + '#' STARTS WITH x) RETURN t.id ORDER BY t.id },
         fidelity: coalesce(c.fidelity, 'unknown'), inputs: coalesce(c.fidelity_inputs, 0),
         equal: coalesce(c.fidelity_equal, 0), left_out: coalesce(c.fidelity_left_out, 0),
         difference: coalesce(c.fidelity_difference, '')
       } END AS rewrite,
       COLLECT { MATCH (o:Code)-[:REWRITTEN_FROM]->(c) WHERE NONE(x IN $withheld.prefixes WHERE o.id + '#' STARTS WITH x) RETURN o.id ORDER BY o.id } AS rewrites
