// Facts that do not say who made them, or name a run that the graph does not know.
// params: limit
// returns: label, id, detail
// access: read
MATCH (n:Section|Equation|Algorithm|Figure|Table|Technique|Code)
WHERE n.extraction_method IS NULL
   OR (n.extraction_method <> 'curator' AND NOT EXISTS { MATCH (r:Run {id: n.run_id}) })
RETURN head(labels(n)) AS label, n.id AS id, 'does not say which run made it' AS detail
ORDER BY label, id
LIMIT $limit
