// Takes the writers' lock: a second writer waits here until the first one's transaction has ended. Each that has ended
// is counted, so that whoever has read before can tell whether somebody has written since.
// params:
// returns: importing, writes
// access: write
MERGE (l:Lock {id: 'writer'})
SET l.name = 'one writer at a time', l.writes = coalesce(l.writes, 0) + 1
RETURN l.importing AS importing, l.writes AS writes
