// Papers with what the graph holds of them, ingested ones first; cited ones only if asked for.
// params: cited
// returns: id, title, authors, year, status, version, techniques, grounded, likely, code, sections, cites
// access: read
MATCH (p:Paper)
WHERE $cited OR p.status = 'ingested'
RETURN p.id AS id, coalesce(p.title, p.name, '') AS title, coalesce(p.authors, []) AS authors, p.year AS year,
       coalesce(p.status, '') AS status, p.version AS version,
       COUNT { (p)-[:HAS_TECHNIQUE]->()-[:HAS_COMPONENT*0..]->(:Technique) } AS techniques,
       COUNT { MATCH (p)-[:HAS_TECHNIQUE]->()-[:HAS_COMPONENT*0..]->(t:Technique) WHERE EXISTS { (t)-[:IMPLEMENTED_BY]->() } RETURN DISTINCT t } AS grounded,
       COUNT {
         MATCH (p)-[:HAS_TECHNIQUE]->()-[:HAS_COMPONENT*0..]->(t:Technique)
         WHERE NOT EXISTS { (t)-[:IMPLEMENTED_BY]->() } AND EXISTS { (t)-[:MAY_BE_IMPLEMENTED_BY {standing: 'likely'}]->() }
         RETURN DISTINCT t
       } AS likely,
       COUNT { MATCH (p)-[:HAS_TECHNIQUE]->()-[:HAS_COMPONENT*0..]->(:Technique)-[:IMPLEMENTED_BY]->(c:Code) RETURN DISTINCT c } AS code,
       COUNT { (p)-[:HAS_SECTION*1..]->(:Section) } AS sections,
       COUNT { (p)-[:CITES]->() } AS cites
ORDER BY p.status <> 'ingested', id
