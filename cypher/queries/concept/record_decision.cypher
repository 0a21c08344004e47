// Writes down a curator's decision: who, when, why, and what it was about.
// params: id, action, who, when, why, concept, former, techniques
// returns: id
// access: write
MERGE (d:Decision {id: $id})
SET d.name = $action + ' ' + $concept, d.action = $action, d.who = $who, d.when = $when, d.why = $why,
    d.concept = $concept, d.former = $former, d.techniques = $techniques
WITH d
MATCH (c:Concept {id: $concept})
MERGE (d)-[:DECIDED]->(c)
RETURN d.id AS id
