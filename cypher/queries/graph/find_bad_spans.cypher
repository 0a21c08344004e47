// Spans that can't be: empty, backwards, without a file, or beyond the piece they point into.
// params: limit
// returns: label, id, detail
// access: read
CALL () {
  MATCH (n:Section|Equation|Algorithm|Figure|Table|Code)
  WHERE n.origin IS NULL OR n.origin = 'extracted'
  WITH n WHERE n.file IS NULL OR n.start IS NULL OR n.end IS NULL OR n.start < 0 OR n.end <= n.start
  RETURN head(labels(n)) AS label, n.id AS id, 'its span is empty or incomplete' AS detail
  UNION ALL
  MATCH (t:Technique)-[r:DESCRIBED_IN]->(n)
  WHERE r.file IS NULL OR r.start IS NULL OR r.end IS NULL OR r.start < 0 OR r.end <= r.start
  RETURN 'Technique' AS label, t.id AS id, 'a span is empty or incomplete, in ' + n.id AS detail
  UNION ALL
  MATCH (t:Technique)-[r:DESCRIBED_IN]->(n)
  WHERE NOT n:Paper AND (r.file <> n.file OR r.start < n.start OR r.end > n.end)
  RETURN 'Technique' AS label, t.id AS id, 'a span goes beyond ' + n.id AS detail
}
RETURN label, id, detail
ORDER BY label, id
LIMIT $limit
