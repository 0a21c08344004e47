// Of these nodes, given by label and id, those that are there.
// params: rows
// returns: label, id, element
// access: read
UNWIND $rows AS row
MATCH (n:Paper|Section|Equation|Algorithm|Figure|Table|Technique|Concept|Code|Repository|Execution|Run|Decision|IndexInfo {id: row.id})
WHERE row.label IN labels(n)
RETURN row.label AS label, row.id AS id, elementId(n) AS element
