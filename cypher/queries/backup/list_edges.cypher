// Every edge between nodes that a backup holds.
// params:
// returns: type, start_label, start_id, end_label, end_id, element
// access: read
MATCH (a)-[r]->(b)
RETURN type(r) AS type, [x IN labels(a) WHERE NOT x IN ['Finding', 'Resource', 'Verified', 'Failed', 'Stale']][0] AS start_label, a.id AS start_id, [x IN labels(b) WHERE NOT x IN ['Finding', 'Resource', 'Verified', 'Failed', 'Stale']][0] AS end_label, b.id AS end_id,
       elementId(r) AS element
