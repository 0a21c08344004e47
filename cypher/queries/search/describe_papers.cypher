// What a search result says of papers.
// params: ids, withheld
// returns: id, name, text, imported, authors, year, techniques
// access: read
UNWIND $ids AS id
MATCH (p:Paper {id: id})
WHERE NONE(x IN $withheld.prefixes WHERE p.id + '#' STARTS WITH x)
RETURN p.id AS id, coalesce(p.title, p.name, '') AS name, left(coalesce(p.abstract, ''), 1000) AS text,
       coalesce(p.extraction_method = 'import', false) AS imported, coalesce(p.authors, []) AS authors, p.year AS year, COUNT { (p)-[:HAS_TECHNIQUE]->() } AS techniques
