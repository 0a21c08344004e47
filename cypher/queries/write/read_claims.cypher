// What other papers say of the papers they cite.
// params: elements, except_paper
// returns: cited, cited_id, status, citing, edge, properties
// access: read
UNWIND $elements AS element
MATCH (c:Paper) WHERE elementId(c) = element
MATCH (p:Paper)-[r:CITES]->(c)
WHERE p.id <> $except_paper
RETURN element AS cited, c.id AS cited_id, c.status AS status, elementId(p) AS citing, elementId(r) AS edge,
       properties(r) AS properties
ORDER BY cited_id, p.id
