// How many relationships of each type there are.
// params:
// returns: type, count
// access: read
MATCH ()-[r]->()
RETURN type(r) AS type, count(*) AS count
ORDER BY type
