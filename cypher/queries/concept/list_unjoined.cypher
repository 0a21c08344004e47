// Techniques that await joining: those whose words are new or changed since concepts were refreshed, those that are to be
// joined again as they are, and those of concepts that have lost one, or will as it became a finding.
// params:
// returns: id, changed, again
// access: read
CALL () {
  MATCH (t:Technique {unjoined: true}) RETURN t.id AS id, true AS changed, true AS again
  UNION
  MATCH (t:Technique {unjoined: false}) RETURN t.id AS id, false AS changed, true AS again
  UNION
  MATCH (t:Technique)-[:INSTANCE_OF]->(c:Concept {unjoined: true}) USING INDEX c:Concept(unjoined)
  RETURN t.id AS id, false AS changed, false AS again
  UNION
  MATCH (f:Technique {unjoined: true})-[:INSTANCE_OF]->(:Concept)<-[:INSTANCE_OF]-(t:Technique)
  USING INDEX f:Technique(unjoined)
  WHERE f.kind = 'finding'
  RETURN t.id AS id, false AS changed, false AS again
}
RETURN id, max(changed) AS changed, max(again) AS again
ORDER BY id
