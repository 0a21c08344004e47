// The texts of code that is to be judged: implementation, and test and requirements where it came with them.
// params: ids
// returns: id, implementation, test, requirements
// access: read
UNWIND $ids AS id
MATCH (c:Code {id: id})
RETURN c.id AS id, coalesce(c.implementation, '') AS implementation, coalesce(c.test, '') AS test,
       coalesce(c.requirements, []) AS requirements
