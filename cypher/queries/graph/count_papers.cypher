// How many papers have which status.
// params:
// returns: status, count
// access: read
MATCH (p:Paper)
RETURN p.status AS status, count(*) AS count
ORDER BY status
