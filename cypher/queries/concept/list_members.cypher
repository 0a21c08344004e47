// The techniques of one concept, each with its paper.
// params: id, withheld
// returns: technique, name, kind, definition, paper, title, score, decided_by
// access: read
MATCH (t:Technique)-[r:INSTANCE_OF]->(:Concept {id: $id})
WHERE NONE(x IN $withheld.prefixes WHERE t.id + '#' STARTS WITH x)
OPTIONAL MATCH (p:Paper {id: t.paper})
RETURN t.id AS technique, t.name AS name, t.kind AS kind, t.definition AS definition, t.paper AS paper,
       p.title AS title, r.score AS score, r.decided_by AS decided_by
ORDER BY technique
