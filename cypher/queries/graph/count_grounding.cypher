// How many techniques have code asserted, only candidates, or none.
// params:
// returns: asserted, candidates, none
// access: read
MATCH (t:Technique)
WITH CASE WHEN EXISTS { (t)-[:IMPLEMENTED_BY]->() } THEN 'asserted'
          WHEN EXISTS { (t)-[:MAY_BE_IMPLEMENTED_BY]->() } THEN 'candidates' ELSE 'none' END AS state
RETURN count(CASE state WHEN 'asserted' THEN 1 END) AS asserted,
       count(CASE state WHEN 'candidates' THEN 1 END) AS candidates,
       count(CASE state WHEN 'none' THEN 1 END) AS none
