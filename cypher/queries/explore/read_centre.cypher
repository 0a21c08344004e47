// The node in the middle of a neighbourhood.
// params: id, withheld
// returns: id, name, label, verdict
// access: read
MATCH (n:Paper|Technique|Code|Concept|Repository {id: $id})
WHERE NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
RETURN n.id AS id, coalesce(n.title, n.name, '') AS name,
       [x IN labels(n) WHERE x IN ['Paper', 'Technique', 'Code', 'Concept', 'Repository']][0] AS label,
       coalesce(n.verdict, '') AS verdict
