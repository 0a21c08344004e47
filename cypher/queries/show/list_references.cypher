// What a section refers to elsewhere in its paper: other sections by name, formulas, algorithms, tables and figures as they are.
// params: id, withheld
// returns: id, kind, name, latex, caption
// access: read
MATCH (s:Section {id: $id})-[:REFERS_TO]->(o:Section|Equation|Algorithm|Table|Figure)
WHERE NONE(x IN $withheld.prefixes WHERE s.id + '#' STARTS WITH x)
  AND NONE(x IN $withheld.prefixes WHERE o.id + '#' STARTS WITH x)
RETURN o.id AS id, toLower(head(labels(o))) AS kind, coalesce(o.name, '') AS name, coalesce(o.latex, '') AS latex,
       coalesce(o.caption, '') AS caption
ORDER BY o.file, o.start, id
