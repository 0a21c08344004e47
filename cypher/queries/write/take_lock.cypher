// Takes the writers' lock: a second writer waits here until the first one's transaction has ended.
// params:
// returns: importing
// access: write
MERGE (l:Lock {id: 'writer'})
SET l.name = 'one writer at a time'
RETURN l.importing AS importing
