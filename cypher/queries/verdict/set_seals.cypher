// Seals verdicts anew whose code has moved, or is described in other words.
// params: rows
// returns: sealed
// access: write
UNWIND $rows AS row
MATCH (c:Code {id: row.id})
SET c.verdict_seal = row.seal, c.verdict_texts = row.texts
RETURN count(c) AS sealed
