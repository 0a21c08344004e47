// How many nodes of each kind that is searched have an id with one of these beginnings; papers that are only cited are
// not counted.
// params: prefixes
// returns: kind, count
// access: read
CALL () {
  UNWIND $prefixes AS x
  MATCH (n:Paper {id: left(x, size(x) - 1)})
  RETURN 'papers' AS kind, n
  UNION
  UNWIND $prefixes AS x
  MATCH (n:Technique) WHERE n.id STARTS WITH x
  RETURN 'techniques' AS kind, n
  UNION
  UNWIND $prefixes AS x
  MATCH (n:Section) WHERE n.id STARTS WITH x
  RETURN 'sections' AS kind, n
  UNION
  UNWIND $prefixes AS x
  MATCH (n:Code) WHERE n.id STARTS WITH x
  RETURN 'code' AS kind, n
  UNION
  UNWIND $prefixes AS x
  MATCH (n:Code {id: left(x, size(x) - 1)})
  RETURN 'code' AS kind, n
}
RETURN kind, count(DISTINCT n) AS count
ORDER BY kind
