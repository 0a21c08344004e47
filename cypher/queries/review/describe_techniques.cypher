// What papers say of some techniques, whoever gave these their names.
// params: ids
// returns: technique, name, definition, status, paper, title, told
// access: read
UNWIND $ids AS id
MATCH (t:Technique {id: id})
OPTIONAL MATCH (p:Paper {id: t.paper})
RETURN id AS technique, coalesce(t.name, '') AS name, coalesce(t.definition, '') AS definition, t.status AS status,
       coalesce(t.paper, '') AS paper, coalesce(p.title, '') AS title,
       COLLECT { MATCH (t)-[d:DESCRIBED_IN]->() UNWIND coalesce(d.quotes, []) AS quote RETURN DISTINCT quote ORDER BY quote } AS told
