// What papers were made from: the hash of their source, and their repositories' pins.
// params: ids
// returns: id, source_sha256, pins
// access: read
UNWIND $ids AS id
MATCH (p:Paper {id: id})
RETURN p.id AS id, coalesce(p.source_sha256, '') AS source_sha256,
       COLLECT {
         MATCH (p)-[h:HAS_REPOSITORY]->(r:Repository)
         RETURN r.id + '@' + coalesce(h.commit, '') AS pin ORDER BY pin
       } AS pins
