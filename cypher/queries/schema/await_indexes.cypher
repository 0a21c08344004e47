// Waits until every index can be used; fails after so many seconds.
// params: seconds
// returns:
// access: read
CALL db.awaitIndexes($seconds)
