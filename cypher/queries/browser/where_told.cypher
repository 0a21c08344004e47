// Where one paper tells of its techniques: sections, equations, algorithms and tables, each once.
// params:
// returns: technique, piece
// access: read
MATCH (p:Paper) WHERE toLower(p.title) CONTAINS toLower('')
  AND EXISTS { (:Technique {paper: p.id})-[:DESCRIBED_IN]->() }
WITH p ORDER BY p.title LIMIT 1
MATCH (technique:Technique {paper: p.id})-[:DESCRIBED_IN]->(piece:Section|Equation|Algorithm|Table)
RETURN DISTINCT technique, piece
