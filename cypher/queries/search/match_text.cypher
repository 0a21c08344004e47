// The nodes of a full-text index that match a Lucene query best. Papers that are only cited are left out.
// params: index, query, vector, fetch, limit
// returns: id, score, cosine
// access: read
CALL db.index.fulltext.queryNodes($index, $query, {limit: $fetch}) YIELD node, score
WHERE coalesce(node.status, '') <> 'cited'
WITH node, score
LIMIT $limit
RETURN node.id AS id, score,
       CASE WHEN node.embedding IS NOT NULL THEN 2 * vector.similarity.cosine(node.embedding, $vector) - 1 END AS cosine
ORDER BY score DESC, id
