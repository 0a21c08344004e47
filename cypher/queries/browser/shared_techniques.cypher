// Techniques that several papers have: the concept between them, and what each paper's code of it is.
// params:
// returns: same, code
// access: read
MATCH (c:Concept)
WITH c ORDER BY COUNT { (c)<-[:INSTANCE_OF]-(:Technique) } DESC LIMIT 25
MATCH same = (c)<-[:INSTANCE_OF]-(t:Technique)
OPTIONAL MATCH code = (t)-[:IMPLEMENTED_BY]->(:Code)
RETURN same, code
