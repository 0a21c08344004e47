// The nodes of one label nearest to a vector, and those that match a Lucene query best; with the exact cosine (the index
// may be quantised) and the texts in which words are looked for. Papers that are only cited are left out.
// params: vector_index, text_index, vector, query, depth, fetch, characters
// returns: id, name, near, score, cosine, texts
// access: read
CALL () {
  CALL db.index.vector.queryNodes($vector_index, $depth, $vector) YIELD node
  RETURN node, true AS near, null AS score
  UNION ALL
  UNWIND CASE $query WHEN '' THEN [] ELSE [$query] END AS text
  CALL db.index.fulltext.queryNodes($text_index, text, {limit: $fetch}) YIELD node, score
  WHERE coalesce(node.status, '') <> 'cited'
  RETURN node, false AS near, score LIMIT $depth
}
WITH node, max(near) AS near, max(score) AS score
RETURN node.id AS id, coalesce(node.name, '') AS name, near, score,
       CASE WHEN node.embedding IS NOT NULL THEN 2 * vector.similarity.cosine(node.embedding, $vector) - 1 END AS cosine,
       [text IN [node.name, node.title, node.symbol, node.definition, node.abstract, node.documentation,
                 node.identifiers, left(node.text, $characters)] + coalesce(node.aliases, [])
        WHERE text IS NOT NULL] AS texts
ORDER BY id
