// Makes executions current of code that has the judgement they were imported with, unless another one is.
// params: rows
// returns: settled
// access: write
UNWIND $rows AS row
MATCH (c:Code)-[r:VERIFIED_BY]->(e)
WHERE elementId(c) = row.start AND elementId(e) = row.end AND coalesce(c.verdict_seal, '') = row.seal
  AND NOT EXISTS { (c)-[:VERIFIED_BY {current: true}]->() }
SET r.current = true
RETURN count(r) AS settled
