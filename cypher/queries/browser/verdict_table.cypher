// A table: the code of each paper's techniques, with its verdict and the reason for it.
// params:
// returns: paper, technique, code, verdict, reason
// access: read
MATCH (t:Technique)-[:IMPLEMENTED_BY]->(c:Code)
MATCH (p:Paper {id: t.paper})
RETURN p.title AS paper, t.name AS technique, coalesce(c.symbol, c.name) AS code,
       coalesce(c.verdict, 'unverified') AS verdict, c.verdict_reason AS reason
ORDER BY verdict DESC, paper, technique
LIMIT 500
