// How much code has which verdict, by the kind of test that was had for it (null where there was none).
// params:
// returns: verdict, kind, count
// access: read
MATCH (c:Code)
RETURN coalesce(c.verdict, 'unverified') AS verdict, c.test_kind AS kind, count(*) AS count
ORDER BY verdict, coalesce(kind, '')
