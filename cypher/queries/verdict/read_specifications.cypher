// What papers say of code, to write tests from: of each technique that it is asserted or likely to implement its
// names, definition, quoted words, and what describes it: equations and algorithms with their LaTeX, sections with their
// text and with those equations and algorithms that stand where the description begins, or a page below. What is said of
// code is said of the module that was made of it.
// params: ids
// returns: id, techniques
// access: read
UNWIND $ids AS id
MATCH (judged:Code {id: id})
OPTIONAL MATCH (judged)-[:REWRITTEN_FROM]->(original:Code)
WITH judged, coalesce(original, judged) AS c
RETURN judged.id AS id,
       COLLECT {
         MATCH (t:Technique)-[i:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c)
         WHERE type(i) = 'IMPLEMENTED_BY' OR i.standing = 'likely'
         RETURN {id: t.id, paper: t.paper, name: coalesce(t.name, ''), aliases: coalesce(t.aliases, []),
                 definition: coalesce(t.definition, ''), asserted: type(i) = 'IMPLEMENTED_BY',
                 quotes: COLLECT {
                   MATCH (t)-[d:DESCRIBED_IN]->() UNWIND coalesce(d.quotes, []) AS quote
                   RETURN DISTINCT quote ORDER BY quote
                 },
                 formulas: COLLECT {
                   MATCH (t)-[d:DESCRIBED_IN]->(p)
                   OPTIONAL MATCH (p)-[:HAS_EQUATION|HAS_ALGORITHM]->(e)
                   WHERE e.file = d.file AND e.end > d.start AND e.start < d.end + 3000
                   WITH CASE WHEN p:Equation OR p:Algorithm THEN p ELSE e END AS e WHERE e IS NOT NULL
                   WITH DISTINCT e
                   RETURN {algorithm: e:Algorithm, latex: coalesce(e.latex, '')} AS formula ORDER BY e.file, e.start, e.id
                 },
                 sections: COLLECT {
                   MATCH (t)-[:DESCRIBED_IN]->(s:Section) WHERE coalesce(s.text, '') <> ''
                   RETURN s.text AS text ORDER BY s.file, s.start, s.id
                 }} AS technique
         ORDER BY technique.asserted DESC, technique.id
       } AS techniques
