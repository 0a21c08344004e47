// Which technique is an instance of which concept, how sure that is, who decided it and beside which other; of all
// concepts or of some.
// params: ids
// returns: technique, concept, score, decided_by, beside
// access: read
CALL () {
  UNWIND CASE WHEN $ids IS NULL THEN [1] END AS _
  MATCH (c:Concept) RETURN c
  UNION ALL
  UNWIND $ids AS id
  MATCH (c:Concept {id: id}) RETURN c
}
MATCH (t:Technique)-[r:INSTANCE_OF]->(c)
RETURN t.id AS technique, c.id AS concept, r.score AS score, r.decided_by AS decided_by,
       coalesce(r.beside, '') AS beside
ORDER BY technique, concept
