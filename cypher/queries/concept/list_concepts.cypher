// Every concept with the number of its techniques and papers, the most shared first.
// params:
// returns: id, name, aliases, curated, techniques, papers
// access: read
MATCH (c:Concept)
OPTIONAL MATCH (t:Technique)-[:INSTANCE_OF]->(c)
RETURN c.id AS id, c.name AS name, c.aliases AS aliases, coalesce(c.curated, false) AS curated,
       count(t) AS techniques, count(DISTINCT t.paper) AS papers
ORDER BY papers DESC, techniques DESC, id
