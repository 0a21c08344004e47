// Nodes of a label by id: exactly one of some spellings, or beginning or ending with one; papers, works that are
// only cited among them, also by the name that
// they have in a corpus file.
// params: label, ids, endings, limit, withheld
// returns: id, name, status
// access: read
CALL () {
  UNWIND $ids AS text
  MATCH (n:Paper) WHERE $label = 'Paper' AND n.id STARTS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n LIMIT $limit
  UNION
  UNWIND $ids AS text
  MATCH (n:CitedWork) WHERE $label = 'Paper' AND n.id STARTS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n LIMIT $limit
  UNION
  MATCH (n:Paper) WHERE $label = 'Paper' AND n.slug IN $ids AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n LIMIT $limit
  UNION
  UNWIND $ids AS text
  MATCH (n:Technique) WHERE $label = 'Technique' AND n.id STARTS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n LIMIT $limit
  UNION
  UNWIND $ids AS text
  MATCH (n:Code) WHERE $label = 'Code' AND n.id STARTS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n LIMIT $limit
  UNION
  UNWIND $endings AS text
  MATCH (n:Technique) WHERE $label = 'Technique' AND n.id ENDS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n LIMIT $limit
  UNION
  UNWIND $endings AS text
  MATCH (n:Code) WHERE $label = 'Code' AND n.id ENDS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n LIMIT $limit
}
RETURN n.id AS id, coalesce(n.name, '') AS name, n.status AS status
ORDER BY id
