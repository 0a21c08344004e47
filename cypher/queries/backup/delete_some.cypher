// Deletes some nodes of the graph, the schema's own records and the lock excepted.
// params: limit
// returns: deleted
// access: write
MATCH (n)
WHERE NOT n:Migration AND NOT n:Lock
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted
