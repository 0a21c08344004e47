// Techniques that may be instances of a concept, all or some: findings are what one paper found, so they are not.
// params: ids
// returns: id, name, aliases, paper, kind, concept, decided_by
// access: read
CALL () {
  UNWIND CASE WHEN $ids IS NULL THEN [1] END AS _
  MATCH (t:Technique) RETURN t
  UNION ALL
  UNWIND $ids AS id
  MATCH (t:Technique {id: id}) RETURN t
}
WITH t WHERE t.kind <> 'finding'
OPTIONAL MATCH (t)-[r:INSTANCE_OF]->(c:Concept)
WITH t, r, c ORDER BY coalesce(r.decided_by, '') = 'curator' DESC, c.id
WITH t, head(collect({concept: c.id, decided_by: r.decided_by})) AS first
RETURN t.id AS id, t.name AS name, coalesce(t.aliases, []) AS aliases, t.paper AS paper, t.kind AS kind,
       first.concept AS concept, first.decided_by AS decided_by
ORDER BY id
