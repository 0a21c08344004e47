// Code that is said to implement the techniques that a search has found.
// params: techniques, vector
// returns: source, relation, id, name, strength, cosine, texts
// access: read
UNWIND $techniques AS source
MATCH (:Technique {id: source})-[r:IMPLEMENTED_BY]->(c:Code)
RETURN source, 'implements' AS relation, c.id AS id, coalesce(c.name, '') AS name, coalesce(r.score, 1.0) AS strength,
       CASE WHEN c.embedding IS NOT NULL THEN 2 * vector.similarity.cosine(c.embedding, $vector) - 1 END AS cosine,
       [text IN [c.name, c.symbol, c.documentation, c.identifiers] WHERE text IS NOT NULL] AS texts
ORDER BY source, strength DESC, id
