// Techniques that stand beside the techniques or the code that a search has found, and how. A concept of more than 200
// techniques is not looked along: their own words find these.
// params: techniques, code, vector, withheld
// returns: source, relation, id, name, kind, role, strength, cosine, texts
// access: read
CALL () {
  UNWIND $techniques AS source
  MATCH (s:Technique {id: source})-[a:INSTANCE_OF]->(c:Concept) WHERE COUNT { (c)<-[:INSTANCE_OF]-() } <= 200
  MATCH (c)<-[b:INSTANCE_OF]-(t:Technique) WHERE t <> s
  RETURN source, 'same concept' AS relation, t, coalesce(a.score, 1.0) * coalesce(b.score, 1.0) AS strength
  UNION
  UNWIND $techniques AS source
  MATCH (:Technique {id: source})-[:HAS_COMPONENT]-(t:Technique)
  RETURN source, 'part and whole' AS relation, t, 1.0 AS strength
  UNION
  UNWIND $code AS source
  MATCH (t:Technique)-[r:IMPLEMENTED_BY]->(:Code {id: source})
  RETURN source, 'implemented by' AS relation, t, coalesce(CASE r.method WHEN 'curator' THEN 1.0 WHEN 'llm' THEN coalesce(r.confidence, r.score) ELSE r.score END, 1.0) AS strength
}
WITH *
WHERE NONE(x IN $withheld.prefixes WHERE t.id + '#' STARTS WITH x)
RETURN source, relation, t.id AS id, coalesce(t.name, '') AS name, coalesce(t.kind, '') AS kind, '' AS role, strength,
       CASE WHEN t.embedding IS NOT NULL THEN 2 * vector.similarity.cosine(t.embedding, $vector) - 1 END AS cosine,
       [text IN [t.name, t.definition] + coalesce(t.aliases, []) WHERE text IS NOT NULL] AS texts
ORDER BY source, relation, strength DESC, id
