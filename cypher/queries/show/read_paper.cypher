// One paper, or work that is only cited, with its repositories, its sections and how it is tied to other papers.
// params: id, withheld
// returns: id, title, imported, authors, year, status, version, licence, url, comment, abstract, main, warnings, repositories, sections, cites, cited_by
// access: read
MATCH (p:Paper|CitedWork {id: $id})
WHERE NONE(x IN $withheld.prefixes WHERE p.id + '#' STARTS WITH x)
RETURN p.id AS id, coalesce(p.title, p.name, '') AS title,
       coalesce(p.extraction_method = 'import', false) AS imported, coalesce(p.authors, []) AS authors, p.year AS year,
       coalesce(p.status, '') AS status, p.version AS version, p.licence AS licence, p.url AS url,
       p.comment AS comment, coalesce(p.abstract, '') AS abstract, p.main AS main, coalesce(p.warnings, []) AS warnings,
       COLLECT {
         MATCH (p)-[h:HAS_REPOSITORY]->(r:Repository)
         WHERE NONE(x IN $withheld.prefixes WHERE r.id + '@' STARTS WITH x)
         RETURN {id: r.id, url: r.url, commit: r.commit, licence: r.licence, official: h.official, evidence: h.evidence,
                 requirements: coalesce(r.requirements, []), python: r.python} AS repository
         ORDER BY repository.id
       } AS repositories,
       COLLECT {
         MATCH steps = (p)-[:HAS_SECTION*1..]->(s:Section)
         RETURN {id: s.id, number: s.number, title: s.title, level: s.level, file: s.file, start: s.start, end: s.end} AS section
         ORDER BY [step IN relationships(steps) | step.order], s.id
       } AS sections,
       COLLECT {
         MATCH (p)-[:CITES]->(c:Paper) WHERE NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
         RETURN {id: c.id, title: coalesce(c.title, '')} AS cited ORDER BY cited.id
       } AS cites,
       COLLECT {
         MATCH (c:Paper)-[:CITES]->(p)
         WHERE NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
         RETURN {id: c.id, title: coalesce(c.title, '')} AS citing ORDER BY citing.id
       } AS cited_by
