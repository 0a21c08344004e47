// What a search must know first: the vectors' model, how much there is, and in how many nodes of each full-text index
// each word of the query occurs (counted up to a limit).
// params: indexes, words, limit, withheld
// returns: model_id, totals, frequencies
// access: read
CALL () {
  UNWIND $indexes AS index
  UNWIND $words AS word
  CALL (index, word) {
    CALL db.index.fulltext.queryNodes(index, '"' + word + '"', {limit: $limit + $withheld.nodes}) YIELD node
    WHERE NONE(x IN $withheld.prefixes WHERE node.id + '#' STARTS WITH x)
    WITH node LIMIT $limit
    RETURN count(node) AS documents
  }
  RETURN collect({index: index, word: word, documents: documents}) AS frequencies
}
RETURN head(COLLECT { MATCH (i:IndexInfo {id: 'vectors'}) RETURN i.model_id }) AS model_id,
       {techniques: COUNT { (:Technique) } - $withheld.techniques, code: COUNT { (:Code) } - $withheld.code,
        papers: COUNT { (:Paper {status: 'ingested'}) } - $withheld.papers,
        sections: COUNT { (:Section) } - $withheld.sections} AS totals,
       frequencies
