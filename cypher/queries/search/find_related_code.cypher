// Code that is said to implement the techniques that a search has found.
// params: techniques, vector
// returns: source, relation, id, strength, cosine
// access: read
UNWIND $techniques AS source
MATCH (:Technique {id: source})-[r:IMPLEMENTED_BY]->(c:Code)
RETURN source, 'implements' AS relation, c.id AS id, coalesce(r.score, 1.0) AS strength,
       CASE WHEN c.embedding IS NOT NULL THEN 2 * vector.similarity.cosine(c.embedding, $vector) - 1 END AS cosine
ORDER BY source, strength DESC, id
