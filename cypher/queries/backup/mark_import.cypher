// Notes on the writers' lock that an import has begun, so that nobody takes the graph for whole before it has ended.
// params: sha256
// returns: importing
// access: write
MERGE (l:Lock {id: 'writer'})
SET l.importing = $sha256
RETURN l.importing AS importing
