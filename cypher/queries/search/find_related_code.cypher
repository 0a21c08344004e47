// Code that is said to implement the techniques that a search has found, what is likely theirs, and the best candidates.
// params: techniques, vector, withheld
// returns: source, relation, id, name, kind, role, strength, cosine, texts
// access: read
UNWIND $techniques AS source
MATCH (:Technique {id: source})-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c:Code)
WITH source, r, c, CASE type(r) WHEN 'IMPLEMENTED_BY' THEN 'asserted' ELSE coalesce(r.standing, 'candidate') END AS standing
WHERE (standing <> 'candidate' OR r.rank <= 3) AND NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
RETURN source,
       CASE standing WHEN 'asserted' THEN 'implements' WHEN 'likely' THEN 'likely implements'
                     ELSE 'only a candidate for' END AS relation,
       c.id AS id, coalesce(c.name, '') AS name, coalesce(c.kind, '') AS kind, coalesce(c.role, '') AS role,
       coalesce(CASE r.method WHEN 'curator' THEN 1.0 WHEN 'llm' THEN coalesce(r.confidence, r.score) ELSE r.score END, 1.0) * CASE standing WHEN 'asserted' THEN 1.0 WHEN 'likely' THEN 0.75 ELSE 0.5 END AS strength,
       CASE WHEN c.embedding IS NOT NULL THEN 2 * vector.similarity.cosine(c.embedding, $vector) - 1 END AS cosine,
       [text IN [c.name, c.symbol, c.documentation, c.identifiers] WHERE text IS NOT NULL] AS texts
ORDER BY source, strength DESC, id
