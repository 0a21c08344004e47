// Of these nodes, the code that has a verdict, with what it rests on; what was taken back already has none.
// params: elements
// returns: id, element, verdict, verdict_reason, seal, text_sha256, basis
// access: read
UNWIND $elements AS element
MATCH (c:Code) WHERE elementId(c) = element AND (c.verdict_program IS NOT NULL OR c.verdict <> 'unverified')
RETURN c.id AS id, element, coalesce(c.verdict, 'unverified') AS verdict, coalesce(c.verdict_reason, '') AS verdict_reason,
       c.verdict_seal AS seal, c.text_sha256 AS text_sha256, coalesce(c.verdict_basis, []) AS basis
ORDER BY id
