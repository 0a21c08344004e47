// Changes properties of nodes, null removes one; a node has no other labels than its own, those (`more`) that say
// what it is, and that of its verdict, which stands as long as nothing takes it back.
// params: rows
// returns: updated
// access: write
UNWIND $rows AS row
MATCH (n) WHERE elementId(n) = row.element
SET n += row.properties
SET n:$([row.label] + row.more)
REMOVE n:$([x IN labels(n) WHERE NOT x IN [row.label, 'Verified', 'Failed', 'Stale'] + row.more])
RETURN count(n) AS updated
