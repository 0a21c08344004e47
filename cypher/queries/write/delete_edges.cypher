// Deletes edges.
// params: elements
// returns: deleted
// access: write
UNWIND $elements AS element
MATCH ()-[r]->() WHERE elementId(r) = element
DELETE r
RETURN count(*) AS deleted
