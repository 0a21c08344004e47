// All of a paper that can be read: the paper itself, then each of its sections with the one it stands in, and what else
// stands directly in each.
// params: id, withheld
// returns: id, parent, order, title, number, level, text, file, pieces
// access: read
CALL () {
  MATCH (p:Paper {id: $id}) RETURN p AS n, null AS parent, 0 AS order
  UNION ALL
  MATCH (n:Section) WHERE n.id STARTS WITH $id + '#'
  MATCH (o)-[h:HAS_SECTION]->(n) RETURN n, o.id AS parent, h.order AS order
}
WITH n, parent, order WHERE NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
RETURN n.id AS id, parent, order, coalesce(n.title, '') AS title, coalesce(n.number, '') AS number,
       coalesce(n.level, 0) AS level, coalesce(n.text, n.abstract, '') AS text, coalesce(n.file, n.main, '') AS file,
       COLLECT {
         MATCH (n)-[:HAS_EQUATION|HAS_ALGORITHM|HAS_FIGURE|HAS_TABLE]->(o)
         RETURN {id: o.id, kind: toLower(head(labels(o))), text: coalesce(o.text, ''), latex: coalesce(o.latex, ''),
                 caption: coalesce(o.caption, '')} AS piece
         ORDER BY o.file, o.start, o.id
       } AS pieces
ORDER BY parent, order, id
