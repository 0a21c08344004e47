// Imported code that nothing but these techniques has, unless a curator touched it.
// params: ids
// returns: id, element, paper
// access: read
UNWIND $ids AS id
MATCH (t:Technique {id: id})-[:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c:Code {origin: 'imported'})
WITH DISTINCT c, t.paper AS paper
WHERE NOT coalesce(c.curated, false) AND coalesce(c.extraction_method, '') <> 'curator'
  AND NOT EXISTS {
    MATCH (o:Technique)-[:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c) WHERE NOT o.id IN $ids
  }
RETURN c.id AS id, elementId(c) AS element, paper
ORDER BY id
