// By repository and commit all that current verdicts on its code rest on there: what a new ingest must compare.
// params:
// returns: repository, commit, basis
// access: read
MATCH (c:Code)
WHERE c.verdict_program IS NOT NULL AND c.repository IS NOT NULL AND c.commit IS NOT NULL
UNWIND [item IN c.verdict_basis WHERE NOT item ENDS WITH ' specification'] AS item
RETURN c.repository AS repository, c.commit AS commit, collect(DISTINCT item) AS basis
ORDER BY repository, commit
