// What other papers say of the papers and works they cite.
// params: elements, except_paper
// returns: cited, citing, properties
// access: read
UNWIND $elements AS element
MATCH (c) WHERE elementId(c) = element
MATCH (p:Paper)-[r:CITES]->(c)
WHERE p.id <> $except_paper
RETURN element AS cited, elementId(p) AS citing, properties(r) AS properties
ORDER BY c.id, p.id
