// The nodes of one label nearest to a vector, those that match a Lucene query best, and those that bear a name; with the
// exact cosine (the index may be quantised), that of what stands around them (their paper, or the technique that code is
// for), and the texts in which words are looked for. Rewrites that failed are left out; so many more are looked at as are
// withheld, so that those do not take the place of others. Where verdicts are wanted, a technique or code without
// one of them is left out behind the `first` of each list, unless it is of the paper of one that is not.
// params: vector_index, text_index, vector, query, name_query, depth, fetch, characters, first, verdicts, withheld
// returns: id, name, aliases, kind, role, near, score, cosine, context, texts
// access: read
CALL () {
  WITH $depth + $withheld.nodes AS fetch
  CALL db.index.vector.queryNodes($vector_index, fetch, $vector) YIELD node, score AS likeness
  WHERE NONE(x IN $withheld.prefixes WHERE node.id + '#' STARTS WITH x)
    AND NOT (coalesce(node.origin, '') = 'rewritten' AND (node.verdict = 'failed' OR node.rewrite_cause IS NOT NULL))
  WITH node ORDER BY likeness DESC LIMIT $depth
  WITH collect(node) AS nodes
  UNWIND range(0, size(nodes) - 1) AS place
  RETURN nodes[place] AS node, place, true AS near, null AS score
  UNION ALL
  UNWIND [text IN [$query, $name_query] WHERE text <> ''] AS text
  CALL (text) {
    CALL db.index.fulltext.queryNodes($text_index, text, {limit: $fetch + $withheld.nodes}) YIELD node, score
    WHERE NONE(x IN $withheld.prefixes WHERE node.id + '#' STARTS WITH x)
      AND NOT (coalesce(node.origin, '') = 'rewritten' AND (node.verdict = 'failed' OR node.rewrite_cause IS NOT NULL))
    WITH node, score LIMIT $depth
    WITH collect([node, score]) AS found
    UNWIND range(0, size(found) - 1) AS place
    RETURN found[place][0] AS node, place, found[place][1] AS score
  }
  RETURN node, place, false AS near, CASE text WHEN $query THEN score END AS score
}
WITH node, min(place) AS place, max(near) AS near, max(score) AS score
WITH collect({node: node, near: near, score: score, wanted: CASE
  WHEN place < $first OR size($verdicts) = 0 THEN true
  WHEN node:Code THEN coalesce(node.verdict, 'unverified') IN $verdicts
  WHEN node:Technique THEN EXISTS {
    MATCH (node)-[:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c:Code)
    WHERE coalesce(c.verdict, 'unverified') IN $verdicts
  }
  ELSE true END}) AS found
WITH found, [one IN found WHERE one.wanted | one.node.paper] AS papers
UNWIND found AS one
WITH one.node AS node, one.near AS near, one.score AS score, one.wanted AS wanted, papers
WHERE wanted OR node.paper IN papers
WITH node, near, score
RETURN node.id AS id, coalesce(node.name, '') AS name, coalesce(node.aliases, []) AS aliases,
       coalesce(node.kind, '') AS kind, coalesce(node.role, '') AS role, near, score,
       CASE WHEN node.embedding IS NOT NULL THEN 2 * vector.similarity.cosine(node.embedding, $vector) - 1 END AS cosine,
       head(COLLECT {
         MATCH (p:Paper {id: node.paper})
         WHERE (node:Technique OR node:Section) AND p.embedding IS NOT NULL
         RETURN 2 * vector.similarity.cosine(p.embedding, $vector) - 1 AS around
         UNION
         MATCH (t:Technique)-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(node)
         WHERE t.embedding IS NOT NULL AND coalesce(r.standing, '') <> 'candidate'
           AND NONE(x IN $withheld.prefixes WHERE t.id + '#' STARTS WITH x)
         RETURN 2 * vector.similarity.cosine(t.embedding, $vector) - 1 AS around ORDER BY around DESC LIMIT 1
       }) AS context,
       [text IN [node.name, node.title, node.symbol, node.definition, node.abstract, node.documentation,
                 node.identifiers, left(node.text, $characters)] + coalesce(node.aliases, [])
        WHERE text IS NOT NULL] AS texts
ORDER BY id
