// Implementations that await a curator's word: likely ones, and those on which model and ranking disagree.
// params:
// returns: technique, name, definition, status, paper, title, told, code, symbol, kind, signature, file, line, text, standing, confidence, method, reason, part, lines, disagrees, others
// access: read
MATCH (t:Technique)-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c:Code)
WHERE coalesce(r.extraction_method, '') <> 'curator' AND (r.standing = 'likely' OR coalesce(r.disagrees, false))
OPTIONAL MATCH (p:Paper {id: t.paper})
RETURN t.id AS technique, coalesce(t.name, '') AS name, coalesce(t.definition, '') AS definition, t.status AS status,
       coalesce(t.paper, '') AS paper, coalesce(p.title, '') AS title,
       COLLECT { MATCH (t)-[d:DESCRIBED_IN]->() UNWIND coalesce(d.quotes, []) AS quote RETURN DISTINCT quote ORDER BY quote } AS told,
       c.id AS code, CASE WHEN coalesce(c.symbol, '') = '' THEN coalesce(c.name, '') ELSE c.symbol END AS symbol,
       coalesce(c.kind, '') AS kind, coalesce(c.signature, '') AS signature, coalesce(c.file, '') AS file, c.line AS line,
       coalesce(c.implementation, '') AS text,
       CASE type(r) WHEN 'IMPLEMENTED_BY' THEN 'asserted' ELSE coalesce(r.standing, 'candidate') END AS standing,
       r.confidence AS confidence, coalesce(r.method, '') AS method, coalesce(r.reason, '') AS reason, r.part AS part,
       coalesce(r.quotes, []) AS lines, coalesce(r.disagrees, false) AS disagrees,
       COLLECT {
         MATCH (t)-[o:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(u:Code) WHERE u <> c
         RETURN {id: u.id, signature: coalesce(u.signature, u.symbol, u.name, ''), rank: coalesce(o.rank, 0)} AS other
         ORDER BY other.rank, other.id
       } AS others
ORDER BY disagrees DESC, paper, technique, r.rank, code
