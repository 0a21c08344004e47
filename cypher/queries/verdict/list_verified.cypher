// Verified code with what its hashes were made from, and the log it rests on.
// params:
// returns: id, implementation, text_sha256, module, module_sha256, log
// access: read
MATCH (c:Code {verdict: 'verified'})
OPTIONAL MATCH (c)-[:VERIFIED_BY {current: true}]->(e:Execution)
RETURN c.id AS id, c.implementation AS implementation, c.text_sha256 AS text_sha256, c.module AS module,
       c.module_sha256 AS module_sha256, head(collect(e.log)) AS log
ORDER BY id
