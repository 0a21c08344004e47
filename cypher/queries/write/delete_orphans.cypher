// Deletes shared nodes that nothing needs any more: executions without code, concepts without techniques, unless curated.
// params:
// returns: label, id
// access: write
CALL () {
  MATCH (n:Execution) WHERE NOT EXISTS { ()-[:VERIFIED_BY]->(n) } RETURN n
  UNION ALL
  MATCH (n:Concept) WHERE NOT EXISTS { (:Technique)--(n) } RETURN n
}
WITH n WHERE NOT coalesce(n.curated, false)
WITH n, head(labels(n)) AS label, n.id AS id
DETACH DELETE n
RETURN label, id
