// Notes on the writers' lock that an import has begun, so that nobody takes the graph for whole before it has ended,
// nor for what was read before.
// params: sha256
// returns: importing
// access: write
MERGE (l:Lock {id: 'writer'})
SET l.importing = $sha256, l.writes = coalesce(l.writes, 0) + 1
RETURN l.importing AS importing
