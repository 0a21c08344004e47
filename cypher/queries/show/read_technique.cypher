// One technique with its surroundings: paper, parents, components, concepts and where the paper describes it.
// params: id, withheld
// returns: id, name, imported, kind, aliases, definition, weight, signals, spans, method, paper, paper_title, parents, components, needs, concepts, described_in, status, coined, gloss, inputs, outputs, steps, subject, comparator, number, dataset, model, quotes
// access: read
MATCH (t:Technique {id: $id})
WHERE NONE(x IN $withheld.prefixes WHERE t.id + '#' STARTS WITH x)
OPTIONAL MATCH (p:Paper {id: t.paper})
RETURN t.id AS id, coalesce(t.name, '') AS name, coalesce(t.extraction_method = 'import', false) AS imported,
        t.kind AS kind, coalesce(t.aliases, []) AS aliases,
       coalesce(t.definition, '') AS definition, t.weight AS weight, coalesce(t.signals, []) AS signals,
       coalesce(t.spans, []) AS spans, t.extraction_method AS method, t.paper AS paper,
       coalesce(p.title, '') AS paper_title,
       COLLECT { MATCH (o:Technique)-[:HAS_COMPONENT]->(t) RETURN {id: o.id, name: o.name} AS other ORDER BY other.id } AS parents,
       COLLECT { MATCH (t)-[r:HAS_COMPONENT]->(o:Technique) RETURN {id: o.id, name: o.name} AS other ORDER BY r.order, other.id } AS components,
       COLLECT {
         MATCH (t)-[:DEPENDS_ON]->(o:Technique)
         WHERE NONE(x IN $withheld.prefixes WHERE o.id + '#' STARTS WITH x)
         RETURN {id: o.id, name: o.name} AS other ORDER BY other.id
       } AS needs,
       COLLECT {
         MATCH (t)-[r:INSTANCE_OF]->(c:Concept)
         RETURN {id: c.id, name: c.name, score: r.score, decided_by: r.decided_by,
                 techniques: COLLECT { MATCH (o:Technique)-[:INSTANCE_OF]->(c) WHERE o <> t AND NONE(x IN $withheld.prefixes WHERE o.id + '#' STARTS WITH x)
                                       RETURN {id: o.id, name: o.name, paper: o.paper} AS other ORDER BY other.id }} AS concept
         ORDER BY concept.id
       } AS concepts,
       COLLECT {
         MATCH (t)-[r:DESCRIBED_IN]->(piece)
         RETURN {id: piece.id, name: piece.name, span: r.span, kind: toLower(head(labels(piece))),
                 latex: CASE WHEN piece:Equation OR piece:Algorithm THEN piece.latex END} AS place
         ORDER BY place.latex IS NOT NULL, piece.file, piece.start, place.id
       } AS described_in,
       t.status AS status, coalesce(t.coined, false) AS coined,
       CASE WHEN t.gloss <> t.name THEN t.gloss ELSE '' END AS gloss, coalesce(t.inputs, []) AS inputs,
       coalesce(t.outputs, []) AS outputs, coalesce(t.steps, []) AS steps, t.subject AS subject,
       t.comparator AS comparator, t.number AS number, t.dataset AS dataset, t.model AS model,
       COLLECT {
         MATCH (t)-[r:DESCRIBED_IN]->(piece) WHERE r.quotes IS NOT NULL
         UNWIND range(0, size(r.quotes) - 1) AS i
         RETURN {role: r.roles[i], text: r.quotes[i], span: r.quote_spans[i], place: coalesce(piece.name, piece.id)} AS quote
         ORDER BY quote.role, quote.span
       } AS quotes
