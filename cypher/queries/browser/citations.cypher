// How the papers cite each other, and the works that two or more of them cite, which are faint.
// params:
// returns: citing
// access: read
MATCH citing = (:Paper)-[:CITES]->(w:Paper|CitedWork)
WHERE w:Paper OR COUNT { (:Paper)-[:CITES]->(w) } > 1
RETURN citing
LIMIT 200
