// Takes away verdicts that are not believed; the executions they named are no longer what the code rests on.
// params: rows
// returns: demoted
// access: write
UNWIND $rows AS row
MATCH (c:Code {id: row.id})
SET c += row.properties
REMOVE c:Verified:Failed:Stale
SET c:$(CASE c.verdict WHEN 'verified' THEN ['Verified'] WHEN 'failed' THEN ['Failed'] WHEN 'stale' THEN ['Stale'] ELSE [] END)
WITH c
CALL (c) {
  MATCH (c)-[r:VERIFIED_BY {current: true}]->()
  SET r.current = false
}
RETURN count(c) AS demoted
