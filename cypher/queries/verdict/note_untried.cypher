// Says of code that was never judged why it could not be; what has a verdict keeps it.
// params: rows
// returns: noted
// access: write
UNWIND $rows AS row
MATCH (c:Code {id: row.id})
WHERE coalesce(c.verdict, 'unverified') = 'unverified' AND c.verdict_program IS NULL
SET c.verdict = 'unverified', c.verdict_reason = row.reason
RETURN count(c) AS noted
