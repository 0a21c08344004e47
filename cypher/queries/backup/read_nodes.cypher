// The properties of some nodes.
// params: elements
// returns: element, properties
// access: read
UNWIND $elements AS element
MATCH (n) WHERE elementId(n) = element
RETURN element, properties(n) AS properties
