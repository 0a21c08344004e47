// The file whose import has begun and not ended; null if there is none.
// params:
// returns: importing
// access: read
MATCH (l:Lock {id: 'writer'})
RETURN l.importing AS importing
