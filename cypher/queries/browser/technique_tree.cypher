// The technique tree of one paper, and the code that is asserted for it. Another paper: put its title in the second line.
// params:
// returns: tree, code
// access: read
MATCH (p:Paper) WHERE toLower(p.title) CONTAINS toLower('')
WITH p ORDER BY p.title LIMIT 1
MATCH tree = (p)-[:HAS_TECHNIQUE]->(:Technique)-[:HAS_COMPONENT*0..5]->(t:Technique)
OPTIONAL MATCH code = (t)-[:IMPLEMENTED_BY]->(:Code)
RETURN tree, code
