// Pieces of papers by id: exactly one of some spellings, or beginning or ending with one.
// params: label, ids, endings, limit, withheld
// returns: id, name, status
// access: read
CALL () {
  UNWIND $ids AS text
  MATCH (n:Section) WHERE $label = 'Section' AND n.id STARTS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n ORDER BY n.id LIMIT $limit
  UNION
  UNWIND $endings AS text
  MATCH (n:Section) WHERE $label = 'Section' AND n.id ENDS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n ORDER BY n.id LIMIT $limit
  UNION
  UNWIND $ids AS text
  MATCH (n:Equation) WHERE $label = 'Equation' AND n.id STARTS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n ORDER BY n.id LIMIT $limit
  UNION
  UNWIND $endings AS text
  MATCH (n:Equation) WHERE $label = 'Equation' AND n.id ENDS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n ORDER BY n.id LIMIT $limit
  UNION
  UNWIND $ids AS text
  MATCH (n:Algorithm) WHERE $label = 'Algorithm' AND n.id STARTS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n ORDER BY n.id LIMIT $limit
  UNION
  UNWIND $endings AS text
  MATCH (n:Algorithm) WHERE $label = 'Algorithm' AND n.id ENDS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n ORDER BY n.id LIMIT $limit
  UNION
  UNWIND $ids AS text
  MATCH (n:Table) WHERE $label = 'Table' AND n.id STARTS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n ORDER BY n.id LIMIT $limit
  UNION
  UNWIND $endings AS text
  MATCH (n:Table) WHERE $label = 'Table' AND n.id ENDS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n ORDER BY n.id LIMIT $limit
}
RETURN n.id AS id, coalesce(n.name, '') AS name, null AS status
ORDER BY NOT n.id IN $ids, id
LIMIT $limit
