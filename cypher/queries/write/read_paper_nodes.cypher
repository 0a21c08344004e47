// What the graph holds of one paper: its own node, and every node whose id starts with the paper's id and "#".
// params: paper, prefix
// returns: label, id, element, content_hash, place, curated, embedding_model
// access: read
CALL () {
  MATCH (n:Paper {id: $paper}) RETURN n
  UNION ALL
  MATCH (n:Section) WHERE n.id STARTS WITH $prefix RETURN n
  UNION ALL
  MATCH (n:Equation) WHERE n.id STARTS WITH $prefix RETURN n
  UNION ALL
  MATCH (n:Algorithm) WHERE n.id STARTS WITH $prefix RETURN n
  UNION ALL
  MATCH (n:Figure) WHERE n.id STARTS WITH $prefix RETURN n
  UNION ALL
  MATCH (n:Table) WHERE n.id STARTS WITH $prefix RETURN n
  UNION ALL
  MATCH (n:Technique) WHERE n.id STARTS WITH $prefix RETURN n
  UNION ALL
  MATCH (n:Code) WHERE n.id STARTS WITH $prefix RETURN n
}
RETURN [x IN labels(n) WHERE NOT x IN ['Finding', 'Resource', 'Verified', 'Failed', 'Stale']][0] AS label, n.id AS id, elementId(n) AS element, n.content_hash AS content_hash,
       n {.file, .start, .end, .line, .end_line, .spans} AS place,
       coalesce(n.curated, false) OR coalesce(n.extraction_method = 'curator', false) AS curated,
       n.embedding_model AS embedding_model
