// Techniques of other papers that are like one: of the same concept, a variant or similar by a judgement, or near its vector.
// None that a model called different, or a curator bound to another concept than this one; findings are like findings alone.
// params: id, depth, withheld
// returns: id, name, kind, paper, paper_title, relations, cosine
// access: read
MATCH (t:Technique {id: $id})
CALL (t) {
  MATCH (t)-[:INSTANCE_OF]->(:Concept)<-[:INSTANCE_OF]-(o:Technique)
  RETURN o, 'same concept' AS relation
  UNION
  MATCH (t)-[r:VARIANT_OF|SIMILAR_TO]-(o:Technique)
  RETURN o, CASE type(r) WHEN 'VARIANT_OF' THEN 'variant' ELSE 'similar' END AS relation
  UNION
  UNWIND CASE WHEN t.embedding IS NULL THEN [] ELSE [t.embedding] END AS vector
  CALL db.index.vector.queryNodes('technique_vector', $depth + $withheld.nodes, vector) YIELD node
  RETURN node AS o, null AS relation
}
WITH t, o, collect(DISTINCT relation) AS relations
WHERE o.paper <> t.paper AND NONE(x IN $withheld.prefixes WHERE o.id + '#' STARTS WITH x)
  AND (coalesce(o.kind, '') = 'finding') = (coalesce(t.kind, '') = 'finding')
  AND (NOT EXISTS { (t)-[:DIFFERS_FROM]-(o) }
       OR EXISTS { (t)-[:INSTANCE_OF {decided_by: 'curator'}]->(:Concept)<-[:INSTANCE_OF {decided_by: 'curator'}]-(o) })
  AND NOT EXISTS {
    MATCH (t)-[:INSTANCE_OF {decided_by: 'curator'}]->(c:Concept)
    MATCH (o)-[:INSTANCE_OF {decided_by: 'curator'}]->(d:Concept)
    WHERE c <> d
  }
OPTIONAL MATCH (p:Paper {id: o.paper})
RETURN o.id AS id, coalesce(o.name, '') AS name, coalesce(o.kind, '') AS kind, o.paper AS paper,
       coalesce(p.title, '') AS paper_title,
       CASE WHEN 'same concept' IN relations THEN ['same concept'] ELSE relations END AS relations,
       CASE WHEN t.embedding IS NOT NULL AND o.embedding IS NOT NULL
            THEN 2 * vector.similarity.cosine(t.embedding, o.embedding) - 1 END AS cosine
ORDER BY id
