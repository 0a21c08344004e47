// How many nodes of each label there are.
// params:
// returns: label, count
// access: read
MATCH (n)
WHERE NOT n:Migration AND NOT n:Lock AND NOT n:IndexInfo
RETURN head(labels(n)) AS label, count(*) AS count
ORDER BY label
