// Concepts of these ids, and those that have lost a technique, or will as it became a finding; all if no ids are given.
// params: ids
// returns: id, name, aliases, curated
// access: read
CALL () {
  UNWIND CASE WHEN $ids IS NULL THEN [1] END AS _
  MATCH (c:Concept) RETURN c
  UNION
  UNWIND $ids AS id
  MATCH (c:Concept {id: id}) RETURN c
  UNION
  MATCH (c:Concept {unjoined: true}) RETURN c
  UNION
  MATCH (t:Technique {unjoined: true})-[:INSTANCE_OF]->(c:Concept) USING INDEX t:Technique(unjoined)
  WHERE t.kind = 'finding' RETURN c
}
RETURN c.id AS id, c.name AS name, coalesce(c.aliases, []) AS aliases, coalesce(c.curated, false) AS curated
ORDER BY id
