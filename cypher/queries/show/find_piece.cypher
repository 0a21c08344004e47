// Pieces of papers by id: exactly one of some spellings, or beginning or ending with one.
// params: label, ids, endings, limit, withheld
// returns: id, name, aliases, status
// access: read
CALL () {
  UNWIND CASE $label WHEN 'Section' THEN $ids END AS text
  MATCH (n:Section) WHERE n.id STARTS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n ORDER BY n.id LIMIT $limit
  UNION
  UNWIND CASE $label WHEN 'Section' THEN $endings END AS text
  MATCH (n:Section) WHERE n.id ENDS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n ORDER BY n.id LIMIT $limit
  UNION
  UNWIND CASE $label WHEN 'Equation' THEN $ids END AS text
  MATCH (n:Equation) WHERE n.id STARTS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n ORDER BY n.id LIMIT $limit
  UNION
  UNWIND CASE $label WHEN 'Equation' THEN $endings END AS text
  MATCH (n:Equation) WHERE n.id ENDS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n ORDER BY n.id LIMIT $limit
  UNION
  UNWIND CASE $label WHEN 'Algorithm' THEN $ids END AS text
  MATCH (n:Algorithm) WHERE n.id STARTS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n ORDER BY n.id LIMIT $limit
  UNION
  UNWIND CASE $label WHEN 'Algorithm' THEN $endings END AS text
  MATCH (n:Algorithm) WHERE n.id ENDS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n ORDER BY n.id LIMIT $limit
  UNION
  UNWIND CASE $label WHEN 'Table' THEN $ids END AS text
  MATCH (n:Table) WHERE n.id STARTS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n ORDER BY n.id LIMIT $limit
  UNION
  UNWIND CASE $label WHEN 'Table' THEN $endings END AS text
  MATCH (n:Table) WHERE n.id ENDS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n ORDER BY n.id LIMIT $limit
}
RETURN n.id AS id, coalesce(n.name, '') AS name, [] AS aliases, null AS status
ORDER BY NOT n.id IN $ids, id
LIMIT $limit
