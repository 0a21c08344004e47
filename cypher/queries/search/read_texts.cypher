// What techniques and code say at length: a definition or a documentation, and the first lines of code.
// params: ids, characters, withheld
// returns: id, text, implementation
// access: read
UNWIND $ids AS id
OPTIONAL MATCH (t:Technique {id: id}) WHERE NONE(x IN $withheld.prefixes WHERE t.id + '#' STARTS WITH x)
OPTIONAL MATCH (c:Code {id: id}) WHERE NONE(x IN $withheld.prefixes WHERE c.id + '#' STARTS WITH x)
WITH id, t, c WHERE t IS NOT NULL OR c IS NOT NULL
RETURN id, left(coalesce(t.definition, c.documentation, ''), $characters) AS text,
       left(coalesce(c.implementation, ''), $characters) AS implementation
