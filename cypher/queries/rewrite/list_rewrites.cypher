// Rewrites with what they were made from: those of this code (of all, if null).
// params: ids, withheld
// returns: id, source, key, verdict, verdict_reason, program, fidelity, inputs, equal, difference, cause, stop, file, symbol, implementation, documentation
// access: read
CALL () {
  UNWIND $ids AS id
  MATCH (w:Code)-[:REWRITTEN_FROM]->(c:Code {id: id}) RETURN w, c
  UNION
  UNWIND CASE WHEN $ids IS NULL THEN [1] END AS _
  MATCH (w:Code)-[:REWRITTEN_FROM]->(c:Code) RETURN w, c
}
WITH w, c
WHERE w.origin = 'rewritten' AND NONE(x IN $withheld.prefixes WHERE w.id + '#' STARTS WITH x)
RETURN w.id AS id, c.id AS source, w.rewrite_key AS key, coalesce(w.verdict, 'unverified') AS verdict,
       coalesce(w.verdict_reason, '') AS verdict_reason, w.verdict_program AS program,
       coalesce(w.fidelity, 'unknown') AS fidelity, coalesce(w.fidelity_inputs, 0) AS inputs,
       coalesce(w.fidelity_equal, 0) AS equal, coalesce(w.fidelity_difference, '') AS difference,
       w.rewrite_cause AS cause, coalesce(w.rewrite_stop, '') AS stop,
       w.file AS file, w.symbol AS symbol, coalesce(w.implementation, '') AS implementation,
       coalesce(w.documentation, '') AS documentation
ORDER BY id
