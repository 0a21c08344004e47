// Every concept with the number of its techniques and papers, the most shared first. One is left out if all its
// techniques are withheld; if some are, its other names are, as they may be theirs.
// params: withheld
// returns: id, name, aliases, curated, techniques, papers
// access: read
MATCH (c:Concept)
WITH c, COUNT { (:Technique)-[:INSTANCE_OF]->(c) } AS all
OPTIONAL MATCH (t:Technique)-[:INSTANCE_OF]->(c)
WHERE NONE(x IN $withheld.prefixes WHERE t.id + '#' STARTS WITH x)
WITH c, all, collect(t) AS seen
WHERE all = 0 OR seen <> []
RETURN c.id AS id, c.name AS name, CASE all WHEN size(seen) THEN c.aliases ELSE [] END AS aliases,
       coalesce(c.curated, false) AS curated, size(seen) AS techniques,
       COUNT { UNWIND seen AS t WITH t WHERE t.paper IS NOT NULL RETURN DISTINCT t.paper } AS papers
ORDER BY papers DESC, techniques DESC, id
