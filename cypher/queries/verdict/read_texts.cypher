// The texts of code that is to be judged: implementation, and test and requirements where it came with them; and what
// papers say of the techniques that it implements or is one of the first three candidates for.
// params: ids
// returns: id, implementation, test, requirements, said
// access: read
UNWIND $ids AS id
MATCH (c:Code {id: id})
RETURN c.id AS id, coalesce(c.implementation, '') AS implementation, coalesce(c.test, '') AS test,
       coalesce(c.requirements, []) AS requirements,
       COLLECT {
         MATCH (t:Technique)-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c)
         WHERE coalesce(t.definition, '') <> '' AND (type(r) = 'IMPLEMENTED_BY' OR r.rank <= 3)
         RETURN DISTINCT t.definition AS definition ORDER BY definition
       } AS said
