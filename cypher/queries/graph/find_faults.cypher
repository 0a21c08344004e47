// What should not be in a graph, at most so many findings of each check.
// params: limit
// returns: check, severity, label, id, detail
// access: read
CALL () {
  // Nodes that nothing holds: pieces, techniques, code and repositories without their owner, concepts without techniques.
  CALL () {
    MATCH (n:Section|Equation|Algorithm|Figure|Table) WHERE NOT EXISTS { ()-[:HAS_SECTION|HAS_EQUATION|HAS_ALGORITHM|HAS_FIGURE|HAS_TABLE]->(n) }
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
    MATCH (n:CitedWork) WHERE NOT EXISTS { (:Paper)-[:CITES]->(n) }
    RETURN n, 'is cited by no paper' AS detail
  }
  RETURN 'orphans' AS check, 'error' AS severity, [x IN labels(n) WHERE NOT x IN ['Finding', 'Resource', 'Verified', 'Failed', 'Stale']][0] AS label, n.id AS id, detail
  ORDER BY label, id
  LIMIT $limit
  UNION ALL
  // Code that says it is from a repository, and has no edge to one; and code that is neither in one nor imported.
  MATCH (n:Code)
  WHERE NOT EXISTS { (n)-[:FROM_REPOSITORY]->(:Repository) } AND (n.repository IS NOT NULL OR n.origin = 'extracted')
  RETURN 'code without repository' AS check, 'error' AS severity, 'Code' AS label, n.id AS id, 'is of no repository' AS detail
  ORDER BY id
  LIMIT $limit
  UNION ALL
  // Spans that can't be: empty, backwards, without a file, or beyond the piece they point into.
  CALL () {
    MATCH (n:Section|Equation|Algorithm|Figure|Table|Code)
    WHERE n.origin IS NULL OR n.origin = 'extracted'
    WITH n WHERE n.file IS NULL OR n.start IS NULL OR n.end IS NULL OR n.start < 0 OR n.end <= n.start
    RETURN [x IN labels(n) WHERE NOT x IN ['Verified', 'Failed', 'Stale']][0] AS label, n.id AS id, 'its span is empty or incomplete' AS detail
    UNION ALL
    MATCH (t:Technique)-[r:DESCRIBED_IN]->(n)
    WHERE r.file IS NULL OR r.start IS NULL OR r.end IS NULL OR r.start < 0 OR r.end <= r.start
    RETURN 'Technique' AS label, t.id AS id, 'a span is empty or incomplete, in ' + n.id AS detail
    UNION ALL
    MATCH (t:Technique)-[r:DESCRIBED_IN]->(n)
    WHERE NOT n:Paper AND (r.file <> n.file OR r.start < n.start OR r.end > n.end)
    RETURN 'Technique' AS label, t.id AS id, 'a span goes beyond ' + n.id AS detail
  }
  RETURN 'dangling spans' AS check, 'error' AS severity, label, id, detail
  ORDER BY label, id
  LIMIT $limit
  UNION ALL
  // Vectors of a model that is not the graph's, or of another length, and vectors whose model is not known.
  OPTIONAL MATCH (i:IndexInfo {id: 'vectors'})
  WITH i.model_id AS model, i.dimension AS dimension
  MATCH (n:Technique|Code|Paper|Section)
  WHERE n.embedding IS NOT NULL
    AND (model IS NULL OR coalesce(n.embedding_model, '') <> model OR size(n.embedding) <> dimension)
  RETURN 'mixed embedding models' AS check, 'error' AS severity, [x IN labels(n) WHERE NOT x IN ['Finding', 'Resource', 'Verified', 'Failed', 'Stale']][0] AS label, n.id AS id, 'its vector is of ' + coalesce(n.embedding_model, 'an unknown model') AS detail
  ORDER BY label, id
  LIMIT $limit
  UNION ALL
  // Implementations without a score between 0 and 1, a method, or a rank.
  MATCH (t:Technique)-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c:Code)
  WHERE r.score IS NULL OR r.method IS NULL OR r.rank IS NULL OR r.score < 0 OR r.score > 1
  RETURN 'implementations without score' AS check, 'error' AS severity, 'Technique' AS label, t.id AS id, 'has no sound score, method or rank for ' + c.id AS detail
  ORDER BY id
  LIMIT $limit
  UNION ALL
  // Facts that do not say who made them, or name a run that the graph does not know.
  MATCH (n:Section|Equation|Algorithm|Figure|Table|Technique|Code)
  WHERE n.extraction_method IS NULL
     OR (n.extraction_method <> 'curator' AND NOT EXISTS { MATCH (r:Run {id: n.run_id}) })
  RETURN 'facts without source' AS check, 'error' AS severity, [x IN labels(n) WHERE NOT x IN ['Finding', 'Resource', 'Verified', 'Failed', 'Stale']][0] AS label, n.id AS id, 'does not say which run made it' AS detail
  ORDER BY label, id
  LIMIT $limit
  UNION ALL
  // What a file said that this home has not sealed: it came without the hash of what it was made from.
  MATCH (n:Paper|CitedWork|Section|Equation|Algorithm|Figure|Table|Technique|Code|Repository)
  WHERE n.extraction_method = 'import' AND n.content_hash IS NULL AND coalesce(n.origin, '') <> 'imported'
  RETURN 'imported facts' AS check, 'warning' AS severity, [x IN labels(n) WHERE NOT x IN ['Finding', 'Resource', 'Verified', 'Failed', 'Stale']][0] AS label, n.id AS id, 'came with a file that this home did not write, and was not read since' AS detail
  ORDER BY label, id
  LIMIT $limit
  UNION ALL
  // Repositories and code whose licence is not known: their text may not be passed on.
  MATCH (r:Repository)
  OPTIONAL MATCH (c:Code)-[:FROM_REPOSITORY]->(r)
  WHERE c.licence IS NULL OR c.licence = 'unknown'
  WITH r, count(c) AS missing
  WHERE missing > 0 OR r.licence IS NULL OR r.licence = 'unknown'
  RETURN 'missing licences' AS check, 'warning' AS severity, 'Repository' AS label, r.id AS id, toString(missing) + ' code nodes have no recognised licence' AS detail
  ORDER BY id
  LIMIT $limit
}
RETURN check, severity, label, id, detail
