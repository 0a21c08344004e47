// Code that is said to implement the techniques that a search has found, and the best candidates where nothing is said.
// params: techniques, vector
// returns: source, relation, id, name, strength, cosine, texts
// access: read
UNWIND $techniques AS source
MATCH (:Technique {id: source})-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c:Code)
WITH source, r, c, type(r) = 'IMPLEMENTED_BY' AS asserted
WHERE asserted OR r.rank <= 3
RETURN source, CASE WHEN asserted THEN 'implements' ELSE 'only a candidate for' END AS relation,
       c.id AS id, coalesce(c.name, '') AS name,
       coalesce(r.score, 1.0) * CASE WHEN asserted THEN 1.0 ELSE 0.5 END AS strength,
       CASE WHEN c.embedding IS NOT NULL THEN 2 * vector.similarity.cosine(c.embedding, $vector) - 1 END AS cosine,
       [text IN [c.name, c.symbol, c.documentation, c.identifiers] WHERE text IS NOT NULL] AS texts
ORDER BY source, strength DESC, id
