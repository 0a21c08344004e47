// Ids, with their closing sign, of all that a blacklist forbids: "<paper>#" of papers that have one of these ids, arXiv
// ids or DOIs, in their own words or in those of a paper that cites them, and of papers of the same title;
// "<repository>@" of repositories that match the pattern by id, address or what they were forked from, of those that
// are a forbidden paper's own, and of those at the same commit as one of them; the path up to a folder of a forbidden
// repository's name in others, or "<code>#" of what bears it otherwise; and "<file>#" of files in others that hold a
// longer function or class of a forbidden repository word for word, however it is spaced.
// params: ids, arxiv_ids, dois, names, pattern
// returns: prefix
// access: read
CALL () {
  MATCH (p:Paper|CitedWork) WHERE p.id IN $ids OR p.arxiv_id IN $arxiv_ids OR toLower(p.doi) IN $dois RETURN p
  UNION
  MATCH (:Paper)-[c:CITES]->(p) WHERE c.arxiv_id IN $arxiv_ids OR toLower(c.doi) IN $dois RETURN p
}
WITH collect(p) AS named, [key IN collect(p.title_key) WHERE key <> ''] AS titles
WITH named + COLLECT { MATCH (p:Paper|CitedWork) WHERE p.title_key IN titles RETURN p } AS papers
WITH papers, COLLECT {
  MATCH (r:Repository)
  WHERE r.id IN $ids OR r.id =~ $pattern OR r.url =~ $pattern
     OR any(fork IN coalesce(r.forked_from, []) WHERE fork =~ $pattern)
     OR EXISTS { MATCH (p:Paper)-[:HAS_REPOSITORY {official: true}]->(r) WHERE p IN papers }
  RETURN r
} AS repositories
WITH papers, repositories, COLLECT {
  UNWIND repositories AS r
  MATCH (:Paper)-[h:HAS_REPOSITORY]->(r)
  UNWIND [h.commit, r.commit] AS commit
  RETURN DISTINCT commit
} AS commits
WITH papers, repositories + COLLECT {
  MATCH (:Paper)-[h:HAS_REPOSITORY]->(r:Repository)
  WHERE h.commit IN commits OR r.commit IN commits
  RETURN DISTINCT r
} AS repositories
CALL (papers, repositories) {
  UNWIND papers AS p
  RETURN p.id + '#' AS prefix
  UNION
  UNWIND repositories AS r
  RETURN r.id + '@' AS prefix
  UNION
  MATCH (c:Code)
  WHERE any(name IN $names WHERE toLower(c.id) CONTAINS name) AND c.id =~ $pattern
    AND NONE(r IN repositories WHERE c.id STARTS WITH r.id + '@')
  WITH c, toLower(c.id) AS id
  WITH c, head([name IN $names WHERE id CONTAINS name | size(split(id, name)[0]) + size(name)]) AS end
  RETURN CASE substring(c.id, end, 1) WHEN '/' THEN left(c.id, end + 1) ELSE c.id + '#' END AS prefix
  UNION
  WITH repositories, COLLECT {
    UNWIND repositories AS r
    MATCH (c:Code) WHERE c.id STARTS WITH r.id + '@' AND size(c.implementation) >= 200
    RETURN DISTINCT [
      c.name,
      replace(replace(replace(replace(c.implementation, ' ', ''), '\t', ''), '\r', ''), '\n', '')
    ]
  } AS known
  WITH repositories, [copied IN known | copied[0]] AS copies, [copied IN known | copied[1]] AS texts
  MATCH (c:Code)
  WHERE c.name IN copies
    AND replace(replace(replace(replace(c.implementation, ' ', ''), '\t', ''), '\r', ''), '\n', '') IN texts
    AND NONE(r IN repositories WHERE c.id STARTS WITH r.id + '@')
  RETURN split(c.id, '#')[0] + '#' AS prefix
}
RETURN prefix
ORDER BY prefix
