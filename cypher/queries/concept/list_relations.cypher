// How techniques relate to others: variant, similar, or as a model judged them; of all techniques or of some.
// params: ids
// returns: one, other, type, score, decided_by, shared
// access: read
CALL () {
  UNWIND CASE WHEN $ids IS NULL THEN [1] END AS _
  MATCH (t:Technique)-[r:VARIANT_OF|SIMILAR_TO|SAME_AS|DIFFERS_FROM]->(:Technique) RETURN r
  UNION
  UNWIND $ids AS id
  MATCH (:Technique {id: id})-[r:VARIANT_OF|SIMILAR_TO|SAME_AS|DIFFERS_FROM]-(:Technique) RETURN r
}
RETURN startNode(r).id AS one, endNode(r).id AS other, type(r) AS type, r.score AS score, r.decided_by AS decided_by,
       coalesce(r.shared, []) AS shared
ORDER BY one, other, type
