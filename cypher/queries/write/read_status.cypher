// Whether a paper is ingested or only cited.
// params: id
// returns: status
// access: read
MATCH (p:Paper {id: $id})
RETURN p.status AS status
