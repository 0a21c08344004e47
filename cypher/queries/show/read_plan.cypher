// What a paper says of its techniques, for a plan: each with its parents, definition and formulas, and no word of code.
// params: paper, withheld
// returns: id, parent, order, name, imported, kind, definition, inputs, outputs, needs, formulas, places
// access: read
MATCH (t:Technique) WHERE t.id STARTS WITH $paper + '#' AND NONE(x IN $withheld.prefixes WHERE t.id + '#' STARTS WITH x)
CALL (t) {
  MATCH (:Paper {id: $paper})-[r:HAS_TECHNIQUE]->(t) RETURN null AS parent, r.order AS order
  UNION ALL
  MATCH (parent:Technique)-[r:HAS_COMPONENT]->(t) RETURN parent.id AS parent, r.order AS order
}
RETURN t.id AS id, parent, coalesce(order, 0) AS order, coalesce(t.name, '') AS name,
       coalesce(t.extraction_method = 'import', false) AS imported, t.kind AS kind,
       coalesce(t.definition, '') AS definition, coalesce(t.inputs, []) AS inputs, coalesce(t.outputs, []) AS outputs,
       COLLECT {
         MATCH (t)-[:DEPENDS_ON]->(o:Technique)
         WHERE NONE(x IN $withheld.prefixes WHERE o.id + '#' STARTS WITH x)
         RETURN o.name ORDER BY o.id
       } AS needs,
       COLLECT {
         MATCH (t)-[:DESCRIBED_IN]->(e:Equation|Algorithm)
         RETURN {id: e.id, latex: coalesce(e.latex, '')} AS formula ORDER BY e.file, e.start, formula.id
       } AS formulas,
       COLLECT { MATCH (t)-[:DESCRIBED_IN]->(s:Section) RETURN s.id AS place ORDER BY s.file, s.start, place } AS places
ORDER BY order, id
