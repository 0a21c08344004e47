// What a search result says of sections.
// params: ids, withheld
// returns: id, name, text, imported, paper, paper_title, number, file, start, end
// access: read
UNWIND $ids AS id
MATCH (s:Section {id: id})
WHERE NONE(x IN $withheld.prefixes WHERE s.id + '#' STARTS WITH x)
OPTIONAL MATCH (p:Paper {id: s.paper})
RETURN s.id AS id, coalesce(s.name, '') AS name, left(coalesce(s.text, ''), 1000) AS text,
       coalesce(s.extraction_method = 'import', false) AS imported,
       coalesce(s.paper, '') AS paper, coalesce(p.title, '') AS paper_title, coalesce(s.number, '') AS number,
       coalesce(s.file, '') AS file, coalesce(s.start, 0) AS start,
       coalesce(s.end, 0) AS end
