// Says of judged code that its verdict is no longer current, and why. What the last judgement found stays to be read.
// params: rows
// returns: marked
// access: write
UNWIND $rows AS row
MATCH (c:Code) WHERE elementId(c) = row.element
SET c.verdict = row.verdict, c.verdict_reason = row.reason, c.verdict_program = null, c.verdict_seal = null
REMOVE c:Verified:Failed:Stale
SET c:$(CASE c.verdict WHEN 'verified' THEN ['Verified'] WHEN 'failed' THEN ['Failed'] WHEN 'stale' THEN ['Stale'] ELSE [] END)
RETURN count(c) AS marked
