// What waits: code that was never judged, failed or is stale, though a technique is said to be it or to be likely it.
// params:
// returns: waits
// access: read
MATCH waits = (t:Technique)-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c:Code)
WHERE (type(r) = 'IMPLEMENTED_BY' OR r.standing = 'likely') AND NOT c:Verified
RETURN waits
LIMIT 100
