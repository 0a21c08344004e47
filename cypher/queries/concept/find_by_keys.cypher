// Techniques that are kept under one of some keys, each written in quotes, with OR between them.
// params: rows
// returns: technique, found
// access: read
UNWIND $rows AS row
CALL db.index.fulltext.queryNodes('technique_keys', row.query) YIELD node
RETURN row.technique AS technique, collect(node.id) AS found
