// Of these nodes, those that a curator's word keeps: an edge of theirs, in or out, is a curator's.
// params: elements
// returns: element
// access: read
UNWIND $elements AS element
MATCH (n) WHERE elementId(n) = element
MATCH (n)-[r]-()
WHERE r.curated OR r.extraction_method = 'curator' OR r.decided_by = 'curator'
RETURN DISTINCT element
