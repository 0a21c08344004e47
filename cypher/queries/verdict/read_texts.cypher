// The texts of code that is to be judged: implementation, test and requirements where it came with them, and how
// papers define the techniques that are asserted to be implemented by it.
// params: ids
// returns: id, implementation, test, requirements, definitions
// access: read
UNWIND $ids AS id
MATCH (c:Code {id: id})
RETURN c.id AS id, coalesce(c.implementation, '') AS implementation, coalesce(c.test, '') AS test,
       coalesce(c.requirements, []) AS requirements,
       COLLECT {
         MATCH (t:Technique)-[:IMPLEMENTED_BY]->(c) WHERE t.definition <> ''
         RETURN DISTINCT t.definition ORDER BY t.definition
       } AS definitions
