// Of these Code nodes, those that techniques of other papers point at.
// params: elements, paper
// returns: element
// access: read
UNWIND $elements AS element
MATCH (n:Code) WHERE elementId(n) = element
MATCH (t:Technique)-[:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(n)
WHERE NOT t.id STARTS WITH $paper + '#'
RETURN DISTINCT element
