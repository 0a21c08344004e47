// Which of these nodes fit what a search is narrowed to; an empty list narrows nothing. Verdict, licence and language are
// code's: a technique fits by the code that is asserted or likely for it, a paper by that of its techniques, a section
// never. Code is of a paper whose techniques it implements or whose repository it is from.
// params: ids, only, withheld
// returns: id
// access: read
UNWIND $ids AS id
CALL (id) {
  MATCH (n:Code {id: id})
  WHERE size($only.papers) = 0
     OR EXISTS { MATCH (t:Technique)-[:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(n) WHERE t.paper IN $only.papers }
     OR EXISTS { MATCH (n)-[:FROM_REPOSITORY]->(:Repository)<-[:HAS_REPOSITORY]-(p:Paper) WHERE p.id IN $only.papers }
  RETURN n.kind AS kind, [n] AS code
  UNION
  MATCH (n:Technique {id: id})
  WHERE size($only.papers) = 0 OR n.paper IN $only.papers
  RETURN n.kind AS kind, COLLECT {
    MATCH (n)-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c:Code)
    WHERE coalesce(r.standing, 'likely') <> 'candidate' AND NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
    RETURN c
  } AS code
  UNION
  MATCH (n:Paper {id: id})
  WHERE size($only.papers) = 0 OR n.id IN $only.papers
  RETURN null AS kind, COLLECT {
    MATCH (t:Technique)-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c:Code)
    WHERE t.id STARTS WITH n.id + '#' AND coalesce(r.standing, 'likely') <> 'candidate'
      AND NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
    RETURN c
  } AS code
  UNION
  MATCH (n:Section {id: id})
  WHERE size($only.papers) = 0 OR n.paper IN $only.papers
  RETURN null AS kind, [] AS code
}
WITH id, kind, code
WHERE (size($only.kinds) = 0 OR kind IN $only.kinds)
  AND (size($only.verdicts) + size($only.licences) + size($only.languages) = 0 OR any(c IN code WHERE
    (size($only.verdicts) = 0 OR coalesce(c.verdict, 'unverified') IN $only.verdicts)
    AND (size($only.licences) = 0 OR toLower(coalesce(c.licence, 'none')) IN $only.licences)
    AND (size($only.languages) = 0 OR toLower(coalesce(c.language, '')) IN $only.languages)))
RETURN DISTINCT id
ORDER BY id
