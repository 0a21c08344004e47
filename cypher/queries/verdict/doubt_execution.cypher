// Takes "verified" from other code that rests on an execution which did not pass when it was run again.
// params: execution, except_code, reason
// returns: id, seal
// access: write
MATCH (c:Code {verdict: 'verified'})-[:VERIFIED_BY {current: true}]->(:Execution {id: $execution})
WHERE c.id <> $except_code
WITH c, c.verdict_seal AS seal
SET c.verdict = 'stale', c.verdict_reason = $reason, c.verdict_program = null, c.verdict_seal = null
REMOVE c:Verified
SET c:Stale
RETURN c.id AS id, seal
