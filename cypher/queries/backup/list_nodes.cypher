// Every node that a backup holds: all but the schema's own records and the writers' lock.
// params:
// returns: label, id, element
// access: read
MATCH (n)
WHERE NOT n:Migration AND NOT n:Lock
RETURN [x IN labels(n) WHERE NOT x IN ['Finding', 'Resource', 'Verified', 'Failed', 'Stale']][0] AS label, n.id AS id, elementId(n) AS element
