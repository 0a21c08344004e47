// Techniques whose code has run here and passed a test that notices wrong code, with the papers that tell of them.
// params:
// returns: telling, pair
// access: read
MATCH pair = (t:Technique)-[:IMPLEMENTED_BY]->(c:Code:Verified)
MATCH telling = (:Paper {id: t.paper})-[:HAS_TECHNIQUE]->(:Technique)-[:HAS_COMPONENT*0..5]->(t)
RETURN telling, pair
LIMIT 100
