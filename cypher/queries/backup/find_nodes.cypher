// Of these nodes, given by label and id, those that are there, and as what: a work that is only cited may be a paper
// here, and a paper a work that is only cited.
// params: rows
// returns: label, id, element, stands_as
// access: read
UNWIND $rows AS row
MATCH (n:Paper|CitedWork|Section|Equation|Algorithm|Figure|Table|Technique|Concept|Code|Repository|Execution|Run|Decision|IndexInfo {id: row.id})
WHERE row.label IN labels(n) OR (row.label IN ['Paper', 'CitedWork'] AND (n:Paper OR n:CitedWork))
RETURN row.label AS label, row.id AS id, elementId(n) AS element, [x IN labels(n) WHERE NOT x IN ['Finding', 'Resource', 'Verified', 'Failed', 'Stale']][0] AS stands_as
