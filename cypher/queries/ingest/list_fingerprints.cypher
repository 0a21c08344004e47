// The papers that were ingested, with the fingerprint of the sources and the program that made them.
// params:
// returns: id, fingerprint
// access: read
MATCH (p:Paper)
WHERE p.status = 'ingested'
RETURN p.id AS id, coalesce(p.ingest_fingerprint, '') AS fingerprint
ORDER BY id
