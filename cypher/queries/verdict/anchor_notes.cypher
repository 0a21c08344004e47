// Keeps the last seal in a home's list of what it has taken back, in place of the one before. It stays where the graph
// is emptied, as the lock does.
// params: home, seal
// returns: seal
// access: write
MERGE (l:Lock {id: 'writer'})
SET l.taken_back = [x IN coalesce(l.taken_back, []) WHERE NOT x STARTS WITH $home] + [$seal]
RETURN $seal AS seal
