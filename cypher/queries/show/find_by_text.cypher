// Nodes of a full-text index that match a Lucene query best.
// params: index, query, limit, withheld
// returns: id, name, aliases, status
// access: read
CALL db.index.fulltext.queryNodes($index, $query, {limit: 200 + $withheld.nodes}) YIELD node, score
WHERE NONE(x IN $withheld.prefixes WHERE node.id + '#' STARTS WITH x)
RETURN node.id AS id, coalesce(node.name, '') AS name,
  coalesce(node.aliases, []) AS aliases, node.status AS status
ORDER BY score DESC, id
LIMIT $limit
