// What a search must know first: the vectors' model, how much there is, and in how many of the nodes that are searched
// each word of the query occurs. Counted up to a twentieth of what there is and a thousand: `common` are words that
// occur in more.
// params: indexes, words, withheld
// returns: model_id, totals, frequencies
// access: read
WITH {techniques: COUNT { (:Technique) } - $withheld.techniques, code: COUNT { (:Code) } - $withheld.code,
      papers: COUNT { (:Paper) } - $withheld.papers,
      sections: COUNT { (:Section) } - $withheld.sections} AS totals,
     {technique_text: COUNT { (:Technique) }, code_text: COUNT { (:Code) }, paper_text: COUNT { (:Paper) },
      section_text: COUNT { (:Section) }} AS held
CALL (held) {
  UNWIND $indexes AS index
  WITH index, 1000 + held[index] / 20 AS most
  UNWIND $words AS word
  CALL (index, word, most) {
    CALL db.index.fulltext.queryNodes(index, '"' + word + '"', {limit: most + $withheld.nodes}) YIELD node
    WHERE NONE(x IN $withheld.prefixes WHERE node.id + '#' STARTS WITH x)
    RETURN count(node) AS documents
  }
  RETURN collect({index: index, word: word, documents: documents, common: documents >= most}) AS frequencies
}
RETURN head(COLLECT { MATCH (i:IndexInfo {id: 'vectors'}) RETURN i.model_id }) AS model_id, totals, frequencies
