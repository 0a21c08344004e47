// Names of nodes in which a word like one of a query's stands: for each word the names that its fuzzy query finds.
// params: indexes, rows, limit, withheld
// returns: word, names
// access: read
UNWIND $rows AS row
RETURN row.word AS word,
       COLLECT {
         UNWIND $indexes AS index
         CALL db.index.fulltext.queryNodes(index, row.query, {limit: $limit + $withheld.nodes}) YIELD node
         WHERE NONE(x IN $withheld.prefixes WHERE node.id + '#' STARTS WITH x)
         UNWIND [text IN [node.name, node.title, node.symbol] + coalesce(node.aliases, []) WHERE text IS NOT NULL] AS text
         RETURN DISTINCT text ORDER BY text
       } AS names
