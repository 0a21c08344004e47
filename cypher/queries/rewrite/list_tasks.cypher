// Techniques whose code may be rewritten, each with the unit that stands first for it: asserted or, if that is asked for,
// likely. Those of these papers, or those that this code implements; `above` are all that it is a component of.
// params: ids, papers, likely, withheld
// returns: technique, name, definition, paper, above, code, unit_name, repository, commit, language, text_sha256, implementation
// access: read
CALL () {
  UNWIND $ids AS id
  MATCH (t:Technique)-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c:Code {id: id}) RETURN t, r, c
  UNION
  UNWIND CASE WHEN $ids IS NULL THEN $papers END AS paper
  MATCH (t:Technique)-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c:Code) WHERE t.id STARTS WITH paper + '#' RETURN t, r, c
  UNION
  UNWIND CASE WHEN $ids IS NULL AND $papers IS NULL THEN [1] END AS _
  MATCH (t:Technique)-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c:Code) RETURN t, r, c
}
WITH t, r, c
WHERE ($papers IS NULL OR t.paper IN $papers)
  AND (type(r) = 'IMPLEMENTED_BY' OR ($likely AND r.standing = 'likely'))
  AND NONE(x IN $withheld.prefixes WHERE t.id + '#' STARTS WITH x)
  AND NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
  AND c.origin = 'extracted' AND c.kind <> 'file' AND c.repository IS NOT NULL AND c.commit IS NOT NULL
WITH t, c, r ORDER BY type(r), r.rank, c.id
WITH t, head(collect(c)) AS first, collect(c) AS all
UNWIND CASE WHEN $ids IS NULL THEN [first] ELSE all END AS c
RETURN t.id AS technique, coalesce(t.name, '') AS name, coalesce(t.definition, '') AS definition, t.paper AS paper,
       COLLECT { MATCH (o:Technique)-[:HAS_COMPONENT*1..8]->(t) RETURN DISTINCT o.id AS other ORDER BY other } AS above,
       c.id AS code, coalesce(c.symbol, c.name, '') AS unit_name, c.repository AS repository, c.commit AS commit,
       coalesce(c.language, '') AS language, c.text_sha256 AS text_sha256, coalesce(c.implementation, '') AS implementation
ORDER BY technique, code
