// Papers with what the graph holds of them, ingested ones first; works that are only cited if asked for.
// params: cited, withheld
// returns: id, title, authors, year, status, version, techniques, grounded, likely, code, sections, cites
// access: read
CALL () {
  MATCH (p:Paper) RETURN p
  UNION ALL
  WITH * WHERE $cited
  MATCH (p:CitedWork) RETURN p
}
WITH p WHERE NONE(x IN $withheld.prefixes WHERE p.id + '#' STARTS WITH x)
RETURN p.id AS id, coalesce(p.title, p.name, '') AS title, coalesce(p.authors, []) AS authors, p.year AS year,
       coalesce(p.status, '') AS status, p.version AS version,
       COUNT { (p)-[:HAS_TECHNIQUE]->()-[:HAS_COMPONENT*0..]->(:Technique) } AS techniques,
       COUNT {
         MATCH (p)-[:HAS_TECHNIQUE]->()-[:HAS_COMPONENT*0..]->(t:Technique)-[:IMPLEMENTED_BY]->(c:Code)
         WHERE NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
         RETURN DISTINCT t
       } AS grounded,
       COUNT {
         MATCH (p)-[:HAS_TECHNIQUE]->()-[:HAS_COMPONENT*0..]->(t:Technique)
         WHERE NOT EXISTS { MATCH (t)-[:IMPLEMENTED_BY]->(c:Code) WHERE NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x) }
           AND EXISTS {
             MATCH (t)-[:MAY_BE_IMPLEMENTED_BY {standing: 'likely'}]->(c:Code)
             WHERE NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
           }
         RETURN DISTINCT t
       } AS likely,
       COUNT {
         MATCH (p)-[:HAS_TECHNIQUE]->()-[:HAS_COMPONENT*0..]->(:Technique)-[:IMPLEMENTED_BY]->(c:Code)
         WHERE NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
         RETURN DISTINCT c
       } AS code,
       COUNT { (p)-[:HAS_SECTION*1..]->(:Section) } AS sections,
       COUNT { MATCH (p)-[:CITES]->(o) WHERE NONE(x IN $withheld.prefixes WHERE o.id + '#' STARTS WITH x) } AS cites
ORDER BY p:CitedWork, id
