// Papers like one: those near its vector, that cite what it cites, or that have techniques of the same concepts, best first. Of what
// both cite a work weighs less the more cite it, and the sum is held against the length of both lists; works that more
// than `popular` cite are not followed, nor concepts of more techniques.
// params: id, depth, popular, named, limit, withheld
// returns: id, title, year, score, cosine, coupling, common, shared, together, concepts
// access: read
MATCH (p:Paper {id: $id})
WITH p,
     COLLECT { MATCH (p)-[:CITES]->(w) WHERE NONE(x IN $withheld.prefixes WHERE w.id + '#' STARTS WITH x) RETURN w } AS works,
     COLLECT {
       MATCH (t:Technique)-[:INSTANCE_OF]->(c:Concept) WHERE t.id STARTS WITH p.id + '#' RETURN DISTINCT c
     } AS own
CALL (p, works, own) {
  UNWIND CASE WHEN p.embedding IS NULL THEN [] ELSE [p.embedding] END AS vector
  CALL db.index.vector.queryNodes('paper_vector', $depth + $withheld.nodes, vector) YIELD node
  RETURN node AS o
  UNION
  UNWIND works AS w
  WITH w WHERE COUNT { (w)<-[:CITES]-() } <= $popular
  MATCH (w)<-[:CITES]-(o:Paper)
  RETURN o
  UNION
  UNWIND own AS c
  WITH c WHERE COUNT { (c)<-[:INSTANCE_OF]-() } <= $popular
  MATCH (c)<-[:INSTANCE_OF]-(u:Technique)
  MATCH (o:Paper {id: u.paper})
  RETURN o
}
WITH DISTINCT p, works, own, o
WHERE o <> p AND NONE(x IN $withheld.prefixes WHERE o.id + '#' STARTS WITH x)
CALL (o, works) {
  MATCH (o)-[:CITES]->(w) WHERE w IN works
  WITH w, COUNT { (w)<-[:CITES]-() } AS citing
  ORDER BY citing, w.id
  RETURN collect(coalesce(w.title, w.name, w.id))[..$named] AS shared, count(w) AS common, coalesce(sum(log(2) / log(citing)), 0.0) AS weight
}
CALL (o) {
  MATCH (t:Technique)-[:INSTANCE_OF]->(c:Concept) WHERE t.id STARTS WITH o.id + '#'
  RETURN collect(DISTINCT c) AS theirs
}
WITH p, o, common, shared, weight, size(own) AS own, size(theirs) AS others, [c IN theirs WHERE c IN own | c.name] AS concepts
WITH o, common, shared, concepts,
     CASE WHEN p.embedding IS NOT NULL AND o.embedding IS NOT NULL
          THEN 2 * vector.similarity.cosine(p.embedding, o.embedding) - 1 END AS cosine,
     CASE WHEN common = 0 THEN 0.0
          ELSE weight / sqrt(toFloat(COUNT { (p)-[:CITES]->() }) * COUNT { (o)-[:CITES]->() }) END AS coupling,
     CASE WHEN size(concepts) = 0 THEN 0.0 ELSE size(concepts) / sqrt(toFloat(own) * others) END AS together
RETURN o.id AS id, coalesce(o.title, o.name, '') AS title, o.year AS year,
       round(1 - CASE WHEN cosine > 0 THEN 1 - cosine ELSE 1 END * (1 - coupling) * (1 - together), 4) AS score,
       round(cosine, 4) AS cosine, round(coupling, 4) AS coupling, common, shared, round(together, 4) AS together, concepts
ORDER BY score DESC, id
LIMIT $limit
