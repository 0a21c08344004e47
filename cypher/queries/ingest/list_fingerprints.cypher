// The papers that were ingested, with the fingerprint of the sources and the program that made them, and whether some of
// it could not be had.
// params:
// returns: id, fingerprint, partial
// access: read
MATCH (p:Paper)
RETURN p.id AS id, coalesce(p.ingest_fingerprint, '') AS fingerprint,
       coalesce(p.ingest_partial, false) AS partial
ORDER BY id
