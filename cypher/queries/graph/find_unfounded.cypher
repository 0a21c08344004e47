// Code that is called verified and has no execution that shows it: none, one that did not pass, one of other code, or a
// test that noticed no mutant.
// params: limit
// returns: label, id, detail
// access: read
MATCH (c:Code {verdict: 'verified'})
OPTIONAL MATCH (c)-[:VERIFIED_BY {current: true}]->(e:Execution)
WITH c, count(e) AS executions, head(collect(e)) AS e
WITH c, CASE
  WHEN executions = 0 THEN 'no execution'
  WHEN executions > 1 THEN 'several executions at once'
  WHEN e.exit_code IS NULL OR e.exit_code <> 0 OR e.signal IS NOT NULL OR e.limit IS NOT NULL
    THEN 'an execution that did not pass'
  WHEN coalesce(e.code_sha256 <> c.code_sha256, true)
    OR NOT coalesce(e.code_sha256 IN [s IN [c.text_sha256, c.module_sha256] WHERE s IS NOT NULL], false)
    THEN 'an execution of other code'
  WHEN coalesce(e.test_sha256 <> c.test_sha256, true) THEN 'an execution of another test'
  WHEN c.test_kind IS NULL THEN 'a test of no kind'
  WHEN NOT coalesce(0 < c.killed AND c.killed <= c.mutants, false)
    OR NOT coalesce(1 <= c.killed_by_assertion AND c.killed_by_assertion <= c.killed, false)
    THEN 'a test that noticed no mutant'
END AS fault
WHERE fault IS NOT NULL
RETURN 'Code' AS label, c.id AS id, 'is called verified by ' + fault AS detail
ORDER BY id
LIMIT $limit
