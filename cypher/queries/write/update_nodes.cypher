// Changes properties of nodes; null removes one. Code that was verified and has changed is stale.
// params: rows
// returns: updated
// access: write
UNWIND $rows AS row
MATCH (n) WHERE elementId(n) = row.element
SET n += row.properties
WITH n, row WHERE row.changed AND n:Code
SET n.verdict_reason = CASE n.verdict WHEN 'verified' THEN 'the code has changed since'
                                      WHEN 'stale' THEN n.verdict_reason ELSE 'nothing was run' END,
    n.verdict = CASE WHEN n.verdict IN ['verified', 'stale'] THEN 'stale' ELSE 'unverified' END
RETURN count(n) AS updated
