// Nodes of a label by id: exactly one of some spellings, or beginning or ending with one; papers also by the name that
// they have in a corpus file.
// params: label, ids, endings, limit
// returns: id, name, status
// access: read
CALL () {
  UNWIND $ids AS text
  MATCH (n:Paper) WHERE $label = 'Paper' AND n.id STARTS WITH text
  RETURN n LIMIT $limit
  UNION
  MATCH (n:Paper) WHERE $label = 'Paper' AND n.slug IN $ids
  RETURN n LIMIT $limit
  UNION
  UNWIND $ids AS text
  MATCH (n:Technique) WHERE $label = 'Technique' AND n.id STARTS WITH text
  RETURN n LIMIT $limit
  UNION
  UNWIND $ids AS text
  MATCH (n:Code) WHERE $label = 'Code' AND n.id STARTS WITH text
  RETURN n LIMIT $limit
  UNION
  UNWIND $endings AS text
  MATCH (n:Technique) WHERE $label = 'Technique' AND n.id ENDS WITH text
  RETURN n LIMIT $limit
  UNION
  UNWIND $endings AS text
  MATCH (n:Code) WHERE $label = 'Code' AND n.id ENDS WITH text
  RETURN n LIMIT $limit
}
RETURN n.id AS id, coalesce(n.name, '') AS name, n.status AS status
ORDER BY id
