// Sections in which the techniques that a search has found are described, as a whole or by a piece of them.
// params: techniques, vector, characters, withheld
// returns: source, relation, id, name, kind, role, strength, cosine, texts
// access: read
UNWIND $techniques AS source
MATCH (:Technique {id: source})-[:DESCRIBED_IN]->(piece)
MATCH (s:Section)-[:HAS_EQUATION|HAS_ALGORITHM|HAS_FIGURE|HAS_TABLE*0..1]->(piece)
WHERE NONE(x IN $withheld.prefixes WHERE s.id + '#' STARTS WITH x)
WITH DISTINCT source, s
RETURN source, 'describes' AS relation, s.id AS id, coalesce(s.name, '') AS name, '' AS kind, '' AS role, 1.0 AS strength,
       CASE WHEN s.embedding IS NOT NULL THEN 2 * vector.similarity.cosine(s.embedding, $vector) - 1 END AS cosine,
       [text IN [s.name, left(s.text, $characters)] WHERE text IS NOT NULL] AS texts
ORDER BY source, id
