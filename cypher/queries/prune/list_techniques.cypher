// Every technique with what its code shows: whether code is asserted for it, whether some of that ran to its end, whether
// some is verified. Where only a file is asserted, its units among the first three candidates speak for it.
// params:
// returns: id, element, name, kind, paper, curated, components, asserted, executable, verified
// access: read
MATCH (t:Technique)
CALL (t) {
  OPTIONAL MATCH (t)-[:IMPLEMENTED_BY]->(a:Code)
  OPTIONAL MATCH (t)-[r:MAY_BE_IMPLEMENTED_BY]->(u:Code)
  WHERE a.kind = 'file' AND r.rank <= 3 AND u.file = a.file AND u.repository = a.repository AND u.commit = a.commit
  WITH collect(DISTINCT a) AS asserted, collect(DISTINCT u) AS units
  WITH size(asserted) AS asserted, asserted + units AS all
  UNWIND CASE WHEN all = [] THEN [null] ELSE all END AS c
  OPTIONAL MATCH (c)-[:VERIFIED_BY {current: true}]->(e:Execution)
  WITH asserted, c.verdict AS verdict, e.exit_code = 0 AND e.signal IS NULL AND e.limit IS NULL AS ran
  RETURN asserted > 0 AS asserted,
         any(x IN collect(coalesce(verdict, '') = 'verified'
                          OR (coalesce(verdict, '') = 'unverified' AND coalesce(ran, false))) WHERE x) AS executable,
         any(x IN collect(coalesce(verdict, '') = 'verified') WHERE x) AS verified
}
RETURN t.id AS id, elementId(t) AS element, coalesce(t.name, '') AS name, t.kind AS kind, t.paper AS paper,
       coalesce(t.curated, false) OR coalesce(t.extraction_method = 'curator', false) AS curated,
       COLLECT { MATCH (t)-[:HAS_COMPONENT]->(o:Technique) RETURN o.id AS other ORDER BY other } AS components,
       asserted, executable, verified
ORDER BY id
