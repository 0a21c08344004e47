// The node in the middle of a neighbourhood; no concept all of whose techniques are withheld.
// params: id, withheld
// returns: id, name, label, verdict
// access: read
MATCH (n:Paper|Technique|Code|Concept|Repository {id: $id})
WHERE NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  AND (NOT n:Concept OR NOT EXISTS { (:Technique)-[:INSTANCE_OF]->(n) } OR EXISTS {
    MATCH (t:Technique)-[:INSTANCE_OF]->(n) WHERE NONE(x IN $withheld.prefixes WHERE t.id + '#' STARTS WITH x)
  })
RETURN n.id AS id, coalesce(n.title, n.name, '') AS name,
       [x IN labels(n) WHERE x IN ['Paper', 'Technique', 'Code', 'Concept', 'Repository']][0] AS label,
       coalesce(n.verdict, '') AS verdict
