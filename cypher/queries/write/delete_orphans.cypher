// Deletes what nothing needs any more after a paper is gone: executions without code, concepts that have lost their last
// technique, unless curated; its runs, and what curators decided of it in a review.
// params: paper
// returns: label, id
// access: write
CALL () {
  MATCH (n:Execution) WHERE NOT EXISTS { ()-[:VERIFIED_BY]->(n) } RETURN n
  UNION ALL
  MATCH (n:Concept {unjoined: true}) WHERE NOT EXISTS { (:Technique)--(n) } RETURN n
  UNION ALL
  MATCH (n:Run {paper: $paper}) RETURN n
  UNION ALL
  MATCH (n:Decision) WHERE n.technique STARTS WITH $paper + '#' AND n.item IS NOT NULL RETURN n
}
WITH n WHERE NOT coalesce(n.curated, false)
WITH n, [x IN labels(n) WHERE NOT x IN ['Finding', 'Resource', 'Verified', 'Failed', 'Stale']][0] AS label, n.id AS id
DETACH DELETE n
RETURN label, id
