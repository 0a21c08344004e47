// How much code has which verdict.
// params:
// returns: verdict, count
// access: read
MATCH (c:Code)
RETURN coalesce(c.verdict, 'unverified') AS verdict, count(*) AS count
ORDER BY verdict
