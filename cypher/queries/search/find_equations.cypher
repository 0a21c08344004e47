// Equations whose symbols, or the sentence around them, match a Lucene query best, with the techniques they describe.
// params: query, limit, withheld
// returns: id, name, score, latex, text, context, paper, paper_title, section, techniques
// access: read
CALL db.index.fulltext.queryNodes('equation_text', $query, {limit: $limit + $withheld.nodes}) YIELD node AS n, score
WHERE NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
OPTIONAL MATCH (p:Paper {id: n.paper})
RETURN n.id AS id, coalesce(n.name, '') AS name, score, coalesce(n.latex, '') AS latex, coalesce(n.text, '') AS text,
       coalesce(n.context, '') AS context, coalesce(n.paper, '') AS paper, coalesce(p.title, '') AS paper_title,
       head(COLLECT { MATCH (s:Section)-[:HAS_EQUATION]->(n) RETURN {id: s.id, name: s.name} }) AS section,
       COLLECT { MATCH (t:Technique)-[:DESCRIBED_IN]->(n) RETURN {id: t.id, name: t.name} AS other ORDER BY other.id } AS techniques
ORDER BY score DESC, id
LIMIT $limit
