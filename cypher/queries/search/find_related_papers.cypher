// Papers whose techniques a search has found.
// params: techniques, vector, withheld
// returns: source, relation, id, name, kind, role, strength, cosine, texts
// access: read
UNWIND $techniques AS source
MATCH (t:Technique {id: source})
MATCH (p:Paper {id: t.paper})
WHERE NONE(x IN $withheld.prefixes WHERE p.id + '#' STARTS WITH x)
RETURN source, 'describes' AS relation, p.id AS id, coalesce(p.name, '') AS name, '' AS kind, '' AS role, 1.0 AS strength,
       CASE WHEN p.embedding IS NOT NULL THEN 2 * vector.similarity.cosine(p.embedding, $vector) - 1 END AS cosine,
       [text IN [p.title, p.abstract] WHERE text IS NOT NULL] AS texts
ORDER BY source, id
