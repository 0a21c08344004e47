// What a search result says of sections.
// params: ids
// returns: id, name, number, text, paper, paper_title, file, start, end
// access: read
UNWIND $ids AS id
MATCH (s:Section {id: id})
OPTIONAL MATCH (p:Paper {id: s.paper})
RETURN s.id AS id, coalesce(s.name, '') AS name, coalesce(s.number, '') AS number,
       left(coalesce(s.text, ''), 1000) AS text, coalesce(s.paper, '') AS paper,
       coalesce(p.title, '') AS paper_title, coalesce(s.file, '') AS file, coalesce(s.start, 0) AS start,
       coalesce(s.end, 0) AS end
