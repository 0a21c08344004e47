// What a search result says of papers.
// params: ids
// returns: id, name, authors, year, abstract, techniques
// access: read
UNWIND $ids AS id
MATCH (p:Paper {id: id})
RETURN p.id AS id, coalesce(p.title, p.name, '') AS name, coalesce(p.authors, []) AS authors, p.year AS year,
       left(coalesce(p.abstract, ''), 1000) AS abstract, COUNT { (p)-[:HAS_TECHNIQUE]->() } AS techniques
