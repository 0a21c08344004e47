// A node that a backup would hold, if there is any: no row for an empty graph.
// params:
// returns: label, id
// access: read
MATCH (n)
WHERE NOT n:Migration AND NOT n:Lock AND NOT n:IndexInfo
RETURN [x IN labels(n) WHERE NOT x IN ['Finding', 'Resource', 'Verified', 'Failed', 'Stale']][0] AS label, n.id AS id
LIMIT 1
