// In how many nodes of a full-text index each word occurs, counted up to a limit.
// params: index, words, limit
// returns: word, documents
// access: read
UNWIND $words AS word
CALL (word) {
  CALL db.index.fulltext.queryNodes($index, '"' + word + '"', {limit: $limit}) YIELD node
  RETURN count(node) AS documents
}
RETURN word, documents
ORDER BY word
