// How many there are of what: nodes by label, edges by type, papers by status, techniques by what code they have, code by
// verdict, and verified code by the kind of its test.
// params:
// returns: table, name, count
// access: read
CALL () {
  MATCH (n)
  WHERE NOT n:Migration AND NOT n:Lock AND NOT n:IndexInfo
  RETURN 'nodes' AS table, [x IN labels(n) WHERE NOT x IN ['Finding', 'Resource', 'Verified', 'Failed', 'Stale']][0] AS name, count(*) AS count
  UNION ALL
  MATCH ()-[r]->()
  RETURN 'edges' AS table, type(r) AS name, count(*) AS count
  UNION ALL
  MATCH (p:Paper|CitedWork)
  RETURN 'papers' AS table, coalesce(p.status, 'unknown') AS name, count(*) AS count
  UNION ALL
  UNWIND ['asserted', 'likely', 'candidates', 'none'] AS name
  OPTIONAL MATCH (t:Technique)
  WHERE name = CASE WHEN EXISTS { (t)-[:IMPLEMENTED_BY]->() } THEN 'asserted'
                    WHEN EXISTS { (t)-[:MAY_BE_IMPLEMENTED_BY {standing: 'likely'}]->() } THEN 'likely'
                    WHEN EXISTS { (t)-[:MAY_BE_IMPLEMENTED_BY]->() } THEN 'candidates' ELSE 'none' END
  RETURN 'grounding' AS table, name, count(t) AS count
  UNION ALL
  MATCH (c:Code)
  RETURN 'verdicts' AS table, coalesce(c.verdict, 'unverified') AS name, count(*) AS count
  UNION ALL
  MATCH (c:Code {verdict: 'verified'})
  RETURN 'verified' AS table, coalesce(c.test_kind, 'unknown') AS name, count(*) AS count
}
RETURN table, name, count
ORDER BY table, name
