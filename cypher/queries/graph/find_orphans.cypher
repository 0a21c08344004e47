// Nodes that nothing holds: pieces, techniques, code and repositories without their owner, concepts without techniques.
// params: limit
// returns: label, id, detail
// access: read
CALL () {
  MATCH (n:Section|Equation|Algorithm|Figure|Table) WHERE NOT EXISTS { ()-[:HAS_SECTION]->(n) }
  RETURN n, 'hangs on no paper or section' AS detail
  UNION ALL
  MATCH (n:Technique) WHERE NOT EXISTS { ()-[:HAS_TECHNIQUE|HAS_COMPONENT]->(n) }
  RETURN n, 'belongs to no paper and no technique' AS detail
  UNION ALL
  MATCH (n:Repository) WHERE NOT EXISTS { (:Paper)-[:HAS_REPOSITORY]->(n) }
  RETURN n, 'is used by no paper' AS detail
  UNION ALL
  MATCH (n:Concept) WHERE NOT EXISTS { (:Technique)-[:INSTANCE_OF]->(n) }
  RETURN n, 'has no technique' AS detail
  UNION ALL
  MATCH (n:Execution) WHERE NOT EXISTS { (:Code)-[:VERIFIED_BY]->(n) }
  RETURN n, 'verifies no code' AS detail
  UNION ALL
  MATCH (n:Paper {status: 'cited'}) WHERE NOT EXISTS { (:Paper)-[:CITES]->(n) }
  RETURN n, 'is cited by no paper' AS detail
}
RETURN head(labels(n)) AS label, n.id AS id, detail
ORDER BY label, id
LIMIT $limit
