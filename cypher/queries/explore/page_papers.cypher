// A page of the ingested papers in the order of their titles, with how many of their techniques have code, and how much is verified.
// params: after, limit, withheld
// returns: id, title, authors, year, techniques, grounded, verified
// access: read
MATCH (p:Paper)
WHERE NONE(x IN $withheld.prefixes WHERE p.id + '#' STARTS WITH x)
WITH p ORDER BY toLower(p.title), p.id SKIP $after LIMIT $limit
CALL (p) {
  OPTIONAL MATCH (p)-[:HAS_TECHNIQUE]->()-[:HAS_COMPONENT*0..]->(t:Technique)
  WITH DISTINCT t
  OPTIONAL MATCH (t)-[:IMPLEMENTED_BY]->(c:Code)
  WHERE NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
  RETURN count(DISTINCT t) AS techniques, count(DISTINCT CASE WHEN c IS NOT NULL THEN t END) AS grounded,
         collect(DISTINCT CASE WHEN c.verdict = 'verified' THEN c.id END) AS verified
}
RETURN p.id AS id, coalesce(p.title, p.name, '') AS title, coalesce(p.authors, []) AS authors, p.year AS year,
       techniques, grounded, verified
