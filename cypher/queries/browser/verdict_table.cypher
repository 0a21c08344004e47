// A table: the code of each paper's techniques, with its verdict and the reason for it.
// params:
// returns: verdict, technique, code, paper, reason
// access: read
MATCH (t:Technique)-[:IMPLEMENTED_BY]->(c:Code)
MATCH (p:Paper {id: t.paper})
RETURN coalesce(c.verdict, 'unverified') AS verdict, t.name AS technique, coalesce(c.symbol, c.name) AS code,
       p.title AS paper, c.verdict_reason AS reason
ORDER BY verdict DESC, paper, technique
LIMIT 500
