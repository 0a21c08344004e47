// Deletes what nothing needs any more: executions without code, concepts without techniques, unless curated; runs, and
// what curators decided in a review, whose paper is not ingested any more.
// params:
// returns: label, id
// access: write
CALL () {
  MATCH (n:Execution) WHERE NOT EXISTS { ()-[:VERIFIED_BY]->(n) } RETURN n
  UNION ALL
  MATCH (n:Concept) WHERE NOT EXISTS { (:Technique)--(n) } RETURN n
  UNION ALL
  MATCH (n:Run) WHERE n.paper IS NOT NULL AND NOT EXISTS { (:Paper {id: n.paper}) } RETURN n
  UNION ALL
  MATCH (n:Decision) WHERE n.item IS NOT NULL AND NOT EXISTS { (:Paper {id: n.paper}) } RETURN n
}
WITH n WHERE NOT coalesce(n.curated, false)
WITH n, [x IN labels(n) WHERE NOT x IN ['Finding', 'Resource', 'Verified', 'Failed', 'Stale']][0] AS label, n.id AS id
DETACH DELETE n
RETURN label, id
