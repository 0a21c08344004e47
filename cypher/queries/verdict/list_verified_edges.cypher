// Executions that are said to have verified code, but for those that code called verified rests on now.
// params:
// returns: id, execution, properties
// access: read
MATCH (c:Code)-[r:VERIFIED_BY {verdict: 'verified'}]->(e:Execution)
WHERE NOT (coalesce(r.current, false) AND coalesce(c.verdict = 'verified', false))
RETURN c.id AS id, e.id AS execution, properties(r) AS properties
ORDER BY id, execution
