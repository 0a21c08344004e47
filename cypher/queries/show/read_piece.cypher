// One section, equation, algorithm or table of a paper, with what stands in it, refers to it and is described by it.
// params: id, label, withheld
// returns: id, kind, name, paper, paper_title, section, number, title, text, context, caption, latex, env, label, file, start, end, pieces, referred_by, techniques
// access: read
MATCH (n:Section|Equation|Algorithm|Table {id: $id})
WHERE head(labels(n)) = $label AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
OPTIONAL MATCH (p:Paper {id: n.paper})
RETURN n.id AS id, toLower(head(labels(n))) AS kind, coalesce(n.name, '') AS name, coalesce(n.paper, '') AS paper,
       coalesce(p.title, '') AS paper_title,
       head(COLLECT { MATCH (s:Section)-[:HAS_SECTION|HAS_EQUATION|HAS_ALGORITHM|HAS_FIGURE|HAS_TABLE]->(n) RETURN {id: s.id, name: s.name} }) AS section,
       n.number AS number, n.title AS title, coalesce(n.text, '') AS text, coalesce(n.context, '') AS context,
       coalesce(n.caption, '') AS caption, coalesce(n.latex, '') AS latex, n.env AS env, n.label AS label,
       coalesce(n.file, '') AS file, coalesce(n.start, 0) AS start, coalesce(n.end, 0) AS end,
       COLLECT {
         MATCH (n)-[h:HAS_SECTION|HAS_EQUATION|HAS_ALGORITHM|HAS_FIGURE|HAS_TABLE]->(o)
         RETURN {id: o.id, name: o.name, kind: toLower(head(labels(o)))} AS piece ORDER BY h.order, o.id
       } AS pieces,
       COLLECT { MATCH (o:Section|Paper)-[:REFERS_TO]->(n) RETURN {id: o.id, name: o.name} AS other ORDER BY other.id } AS referred_by,
       COLLECT { MATCH (t:Technique)-[:DESCRIBED_IN]->(n) RETURN {id: t.id, name: t.name} AS other ORDER BY other.id } AS techniques
