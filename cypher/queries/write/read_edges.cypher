// Every edge that starts at one of these nodes, except those to concepts, which belong to no paper.
// params: elements
// returns: element, type, start_label, start_id, end_label, end_id, properties
// access: read
UNWIND $elements AS element
MATCH (a) WHERE elementId(a) = element
MATCH (a)-[r]->(b)
WHERE NOT b:Concept
RETURN elementId(r) AS element, type(r) AS type, [x IN labels(a) WHERE NOT x IN ['Finding', 'Resource', 'Verified', 'Failed', 'Stale']][0] AS start_label, a.id AS start_id,
       [x IN labels(b) WHERE NOT x IN ['Finding', 'Resource', 'Verified', 'Failed', 'Stale']][0] AS end_label, b.id AS end_id, properties(r) AS properties
