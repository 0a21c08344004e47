// What curators decided on items of the review, of techniques whose id begins so.
// params: prefix
// returns: item, kind, action, value, technique, name, who, when
// access: read
MATCH (d:Decision)
WHERE d.item IS NOT NULL AND d.technique STARTS WITH $prefix
RETURN d.item AS item, d.kind AS kind, d.action AS action, d.value AS value, d.technique AS technique,
       d.subject AS name, d.who AS who, d.when AS when
ORDER BY d.when, item
