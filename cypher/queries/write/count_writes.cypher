// How many transactions have held the writers' lock.
// params:
// returns: writes
// access: read
RETURN coalesce(head(COLLECT { MATCH (l:Lock {id: 'writer'}) RETURN l.writes }), 0) AS writes
