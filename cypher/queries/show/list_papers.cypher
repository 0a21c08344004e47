// Papers with what the graph holds of them, ingested ones first; cited ones only if asked for.
// params: cited, withheld
// returns: id, title, authors, year, status, version, techniques, grounded, likely, code, sections, cites
// access: read
MATCH (p:Paper)
WHERE ($cited OR p.status = 'ingested') AND NONE(x IN $withheld.prefixes WHERE p.id + '#' STARTS WITH x)
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
       COUNT { MATCH (p)-[:CITES]->(o:Paper) WHERE NONE(x IN $withheld.prefixes WHERE o.id + '#' STARTS WITH x) } AS cites
ORDER BY p.status <> 'ingested', id
