// The nodes of one label nearest to a vector, and those that match a Lucene query best; with the exact cosine (the index
// may be quantised) and the texts in which words are looked for. Papers that are only cited are left out, and rewrites that
// failed; so many more are looked at as are withheld, so that those do not take the place of others.
// params: vector_index, text_index, vector, query, depth, fetch, characters, withheld
// returns: id, name, near, score, cosine, texts
// access: read
CALL () {
  WITH $depth + $withheld.nodes AS fetch
  CALL db.index.vector.queryNodes($vector_index, fetch, $vector) YIELD node, score AS likeness
  WHERE NONE(x IN $withheld.prefixes WHERE node.id + '#' STARTS WITH x)
    AND NOT (coalesce(node.origin, '') = 'rewritten' AND (node.verdict = 'failed' OR node.rewrite_cause IS NOT NULL))
  RETURN node, true AS near, null AS score ORDER BY likeness DESC LIMIT $depth
  UNION ALL
  UNWIND CASE $query WHEN '' THEN [] ELSE [$query] END AS text
  CALL db.index.fulltext.queryNodes($text_index, text, {limit: $fetch + $withheld.nodes}) YIELD node, score
  WHERE coalesce(node.status, '') <> 'cited' AND NONE(x IN $withheld.prefixes WHERE node.id + '#' STARTS WITH x)
    AND NOT (coalesce(node.origin, '') = 'rewritten' AND (node.verdict = 'failed' OR node.rewrite_cause IS NOT NULL))
  RETURN node, false AS near, score LIMIT $depth
}
WITH node, max(near) AS near, max(score) AS score
RETURN node.id AS id, coalesce(node.name, '') AS name, near, score,
       CASE WHEN node.embedding IS NOT NULL THEN 2 * vector.similarity.cosine(node.embedding, $vector) - 1 END AS cosine,
       [text IN [node.name, node.title, node.symbol, node.definition, node.abstract, node.documentation,
                 node.identifiers, left(node.text, $characters)] + coalesce(node.aliases, [])
        WHERE text IS NOT NULL] AS texts
ORDER BY id
