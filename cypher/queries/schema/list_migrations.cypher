// The migrations this graph has had, oldest first.
// params:
// returns: id, number, name, checksum
// access: read
MATCH (m:Migration)
RETURN m.id AS id, m.number AS number, m.name AS name, m.checksum AS checksum
ORDER BY number
