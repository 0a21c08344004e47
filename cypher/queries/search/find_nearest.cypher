// The nodes of a vector index that are nearest to a vector, with the exact cosine (the index itself may be quantised).
// params: index, vector, limit
// returns: id, cosine
// access: read
CALL db.index.vector.queryNodes($index, $limit, $vector) YIELD node
RETURN node.id AS id, 2 * vector.similarity.cosine(node.embedding, $vector) - 1 AS cosine
ORDER BY cosine DESC, id
