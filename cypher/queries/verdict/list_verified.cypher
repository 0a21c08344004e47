// Verified code (that of these ids, all if null) with the executions it rests on now, [{edge, execution}], and the ids
// of the repositories that it is said to be from.
// params: ids
// returns: id, properties, runs, repositories
// access: read
MATCH (c:Code {verdict: 'verified'})
WHERE $ids IS NULL OR c.id IN $ids
RETURN c.id AS id, c {.*, embedding: null} AS properties,
       COLLECT {
         MATCH (c)-[r:VERIFIED_BY {current: true}]->(e:Execution)
         RETURN {edge: properties(r), execution: properties(e)}
       } AS runs,
       COLLECT { MATCH (c)-[:FROM_REPOSITORY]->(h) RETURN h.id } AS repositories
ORDER BY id
