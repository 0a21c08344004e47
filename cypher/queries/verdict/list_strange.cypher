// Verdicts where none belongs, words for verdicts that are none, and the label of verified code where code is not.
// params:
// returns: label, id, verdict
// access: read
CALL () {
  MATCH (n)
  WHERE n.verdict IS NOT NULL AND NOT (n:Code AND n.verdict IN ['verified', 'failed', 'unverified', 'stale'])
  RETURN [x IN labels(n) WHERE NOT x IN ['Finding', 'Resource', 'Verified', 'Failed', 'Stale']][0] AS label, n.id AS id, toStringOrNull(n.verdict) AS verdict
  UNION ALL
  MATCH (a)-[r]->(b)
  WHERE r.verdict IS NOT NULL AND NOT (type(r) = 'VERIFIED_BY' AND a:Code AND b:Execution)
  RETURN type(r) AS label, a.id AS id, toStringOrNull(r.verdict) AS verdict
  UNION ALL
  MATCH (n:Verified) WHERE coalesce(toStringOrNull(n.verdict), '') <> 'verified'
  RETURN 'Code' AS label, n.id AS id, 'label Verified' AS verdict
}
RETURN label, coalesce(id, '') AS id, coalesce(verdict, 'a list') AS verdict
ORDER BY label, id
