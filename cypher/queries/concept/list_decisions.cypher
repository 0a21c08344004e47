// What curators decided about concepts, the latest first; only about one of them if an id is given.
// params: id, withheld
// returns: id, action, who, when, why, concept, former, techniques
// access: read
MATCH (d:Decision)
WHERE ($id IS NULL OR d.concept = $id OR $id IN d.former)
  AND ($withheld.prefixes = [] OR any(t IN d.techniques WHERE NONE(x IN $withheld.prefixes WHERE t + '#' STARTS WITH x)))
RETURN d.id AS id, d.action AS action, d.who AS who, d.when AS when, d.why AS why, d.concept AS concept,
       d.former AS former, [t IN d.techniques WHERE NONE(x IN $withheld.prefixes WHERE t + '#' STARTS WITH x)] AS techniques
ORDER BY d.when DESC, id
