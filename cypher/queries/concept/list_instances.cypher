// Which technique is an instance of which concept, how sure that is and who decided it.
// params:
// returns: technique, concept, score, decided_by
// access: read
MATCH (t:Technique)-[r:INSTANCE_OF]->(c:Concept)
RETURN t.id AS technique, c.id AS concept, r.score AS score, r.decided_by AS decided_by
ORDER BY technique, concept
