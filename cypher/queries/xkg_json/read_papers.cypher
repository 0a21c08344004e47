// Ingested papers, all or some, as far as an xKG graph shows them.
// params: ids, withheld
// returns: id, title, abstract, main, reference_titles, code_files, code_overview, keys, rest
// access: read
CALL () {
  UNWIND $ids AS id
  MATCH (p:Paper {id: id}) RETURN p
  UNION
  UNWIND CASE WHEN $ids IS NULL THEN [1] END AS _
  MATCH (p:Paper) RETURN p
}
WITH p
WHERE NONE(x IN $withheld.prefixes WHERE p.id + '#' STARTS WITH x)
RETURN p.id AS id, coalesce(p.title, '') AS title, coalesce(p.abstract, '') AS abstract, coalesce(p.main, '') AS main,
       coalesce(p.reference_titles, COLLECT {
         MATCH (p)-[r:CITES]->(c)
         WHERE NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
         RETURN coalesce(r.title, c.title, c.id) AS title ORDER BY title
       }) AS reference_titles,
       p.code_files AS code_files, coalesce(p.code_overview, '') AS code_overview,
       p.xkg_json_keys AS keys, p.xkg_json_rest AS rest
ORDER BY id
