// What stands beside a node of the graph, at most so many by each relation; the sections and equations of a paper do not.
// params: id, most, withheld
// returns: id, name, label, verdict, relation, standing, outgoing
// access: read
MATCH (n:Paper|Technique|Code|Concept|Repository {id: $id})
WHERE NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
UNWIND ['HAS_TECHNIQUE', 'HAS_COMPONENT', 'IMPLEMENTED_BY', 'MAY_BE_IMPLEMENTED_BY', 'INSTANCE_OF', 'VARIANT_OF', 'SIMILAR_TO',
        'DEPENDS_ON', 'HAS_REPOSITORY', 'FROM_REPOSITORY', 'USES', 'HAS_MEMBER', 'REWRITTEN_FROM', 'CITES'] AS relation
CALL (n, relation) {
  MATCH (n)-[r:$(relation)]-(o:Paper|Technique|Code|Concept|Repository)
  WHERE o <> n AND NONE(x IN $withheld.prefixes WHERE o.id + '#' STARTS WITH x)
  RETURN o, r ORDER BY coalesce(r.rank, r.order, 0), o.id LIMIT $most
}
RETURN o.id AS id, coalesce(o.title, o.name, '') AS name,
       [x IN labels(o) WHERE x IN ['Paper', 'Technique', 'Code', 'Concept', 'Repository']][0] AS label,
       coalesce(o.verdict, '') AS verdict, relation,
       CASE relation WHEN 'IMPLEMENTED_BY' THEN 'asserted' WHEN 'MAY_BE_IMPLEMENTED_BY' THEN coalesce(r.standing, 'candidate') ELSE '' END AS standing,
       startNode(r) = n AS outgoing
ORDER BY relation, outgoing, id
