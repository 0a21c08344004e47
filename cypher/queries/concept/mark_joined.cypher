// Notes that concepts have taken leave of what they have lost, and that what is never joined needs no joining.
// params:
// returns: marked
// access: write
CALL () {
  MATCH (n:Concept {unjoined: true}) RETURN n
  UNION ALL
  MATCH (n:Technique) WHERE n.unjoined IS NOT NULL AND n.kind = 'finding' RETURN n
}
SET n.unjoined = null
RETURN count(n) AS marked
