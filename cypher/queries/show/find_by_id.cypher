// Nodes of a label by id: exactly one of some spellings, or beginning or ending with one; papers, works that are
// only cited among them, also by the name that
// they have in a corpus file.
// params: label, ids, endings, limit, withheld
// returns: id, name, aliases, status
// access: read
CALL () {
  UNWIND CASE $label WHEN 'Paper' THEN $ids END AS text
  MATCH (n:Paper) WHERE n.id STARTS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n LIMIT $limit
  UNION
  UNWIND CASE $label WHEN 'Paper' THEN $ids END AS text
  MATCH (n:CitedWork) WHERE n.id STARTS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n LIMIT $limit
  UNION
  UNWIND CASE $label WHEN 'Paper' THEN $ids END AS text
  MATCH (n:Paper {slug: text}) WHERE NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n LIMIT $limit
  UNION
  UNWIND CASE $label WHEN 'Technique' THEN $ids END AS text
  MATCH (n:Technique) WHERE n.id STARTS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n LIMIT $limit
  UNION
  UNWIND CASE $label WHEN 'Code' THEN $ids END AS text
  MATCH (n:Code) WHERE n.id STARTS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n LIMIT $limit
  UNION
  UNWIND CASE $label WHEN 'Technique' THEN $endings END AS text
  MATCH (n:Technique) WHERE n.id ENDS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n LIMIT $limit
  UNION
  UNWIND CASE $label WHEN 'Code' THEN $endings END AS text
  MATCH (n:Code) WHERE n.id ENDS WITH text AND NONE(x IN $withheld.prefixes WHERE n.id + '#' STARTS WITH x)
  RETURN n LIMIT $limit
}
RETURN n.id AS id, coalesce(n.name, '') AS name,
  coalesce(n.aliases, []) AS aliases, n.status AS status
ORDER BY id
