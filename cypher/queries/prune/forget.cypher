// Forgets what was pruned of papers; with `again`, the next ingest takes them for changed.
// params: papers, again
// returns: id
// access: write
UNWIND $papers AS id
MATCH (p:Paper {id: id})
SET p.pruned = null, p.pruned_level = null, p.pruned_sources = null
FOREACH (_ IN CASE WHEN $again THEN [1] ELSE [] END | SET p.ingest_fingerprint = null, p.content_hash = null)
RETURN p.id AS id
