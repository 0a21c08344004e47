// Techniques whose name no curator has judged, with what the paper says of them.
// params:
// returns: technique, name, coined, definition, status, paper, title, told
// access: read
MATCH (t:Technique)
WHERE t.kind IN ['methodology', 'technique'] AND coalesce(t.extraction_method, '') <> 'curator'
OPTIONAL MATCH (p:Paper {id: t.paper})
RETURN t.id AS technique, coalesce(t.name, '') AS name, coalesce(t.coined, false) AS coined,
       coalesce(t.definition, '') AS definition, t.status AS status, coalesce(t.paper, '') AS paper,
       coalesce(p.title, '') AS title,
       COLLECT { MATCH (t)-[d:DESCRIBED_IN]->() UNWIND coalesce(d.quotes, []) AS quote RETURN DISTINCT quote ORDER BY quote } AS told
ORDER BY coined DESC, paper, technique
