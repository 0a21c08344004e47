// Papers whose techniques a search has found.
// params: techniques, vector
// returns: source, relation, id, strength, cosine
// access: read
UNWIND $techniques AS source
MATCH (t:Technique {id: source})
MATCH (p:Paper {id: t.paper})
RETURN source, 'describes' AS relation, p.id AS id, 1.0 AS strength,
       CASE WHEN p.embedding IS NOT NULL THEN 2 * vector.similarity.cosine(p.embedding, $vector) - 1 END AS cosine
ORDER BY source, id
