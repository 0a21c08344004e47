// The techniques of a paper with their place in its tree: the parent (none at the top) and the order there.
// params: paper, withheld
// returns: id, parent, order, name, kind, definition, weight, text, keys, rest
// access: read
MATCH (t:Technique) WHERE t.id STARTS WITH $paper + '#' AND NONE(x IN $withheld.prefixes WHERE t.id + '#' STARTS WITH x)
CALL (t) {
  MATCH (:Paper {id: $paper})-[r:HAS_TECHNIQUE]->(t) RETURN null AS parent, r.order AS order
  UNION ALL
  MATCH (parent:Technique)-[r:HAS_COMPONENT]->(t) RETURN parent.id AS parent, r.order AS order
}
RETURN t.id AS id, parent, coalesce(order, 0) AS order, coalesce(t.name, '') AS name, t.kind AS kind,
       coalesce(t.definition, '') AS definition, coalesce(t.weight, 0.0) AS weight, t.xkg_json_text AS text,
       t.xkg_json_keys AS keys, t.xkg_json_rest AS rest
ORDER BY order, id
