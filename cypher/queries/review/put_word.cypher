// Puts a curator's word on whether code implements a technique in the place of what was said of the two; what spoke
// for it stays on the edge. The code is told by its id, or by its path and symbol beside other code.
// params: technique, beside, unit, type, word
// returns: id
// access: write
MATCH (t:Technique {id: $technique})
MATCH (near:Code {id: $beside})
MATCH (c:Code)
WHERE c.id IN [$unit, near.repository + '@' + near.commit + ':' + $unit]
WITH t, c LIMIT 1
OPTIONAL MATCH (t)-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY|NOT_IMPLEMENTED_BY]->(c)
WITH t, c, collect(r) AS former, coalesce(head(collect(properties(r))), {score: 1.0, rank: 1}) AS said
FOREACH (r IN former | DELETE r)
CREATE (t)-[n:$($type)]->(c)
SET n = said
SET n += $word
SET n.level = CASE WHEN $type <> 'IMPLEMENTED_BY' THEN null WHEN c.kind = 'file' THEN 'file' ELSE 'unit' END
RETURN c.id AS id
