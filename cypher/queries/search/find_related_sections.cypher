// Sections in which the techniques that a search has found are described, themselves or by a piece inside.
// params: techniques, vector
// returns: source, relation, id, strength, cosine
// access: read
UNWIND $techniques AS source
MATCH (:Technique {id: source})-[:DESCRIBED_IN]->(piece)
MATCH (s:Section)-[:HAS_SECTION*0..1]->(piece)
WITH DISTINCT source, s
RETURN source, 'describes' AS relation, s.id AS id, 1.0 AS strength,
       CASE WHEN s.embedding IS NOT NULL THEN 2 * vector.similarity.cosine(s.embedding, $vector) - 1 END AS cosine
ORDER BY source, id
