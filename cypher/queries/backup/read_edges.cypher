// The properties of some edges.
// params: elements
// returns: element, properties
// access: read
UNWIND $elements AS element
MATCH ()-[r]->() WHERE elementId(r) = element
RETURN element, properties(r) AS properties
