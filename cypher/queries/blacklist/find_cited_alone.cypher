// "<work>#" of works that are only cited, and by no paper but those whose ids have one of these beginnings.
// params: prefixes
// returns: prefix
// access: read
UNWIND $prefixes AS x
MATCH (:Paper {id: left(x, size(x) - 1)})-[:CITES]->(w:CitedWork)
WHERE NOT EXISTS { MATCH (o:Paper)-[:CITES]->(w) WHERE NOT o.id + '#' IN $prefixes }
RETURN DISTINCT w.id + '#' AS prefix
ORDER BY prefix
