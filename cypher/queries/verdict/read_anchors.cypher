// The last seal in each home's list of what it has taken back, as far as this graph knows.
// params:
// returns: seal
// access: read
MATCH (l:Lock {id: 'writer'})
UNWIND coalesce(l.taken_back, []) AS seal
RETURN seal
