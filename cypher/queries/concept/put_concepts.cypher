// Creates concepts, or gives them their present names.
// params: rows
// returns: id
// access: write
UNWIND $rows AS row
MERGE (c:Concept {id: row.id})
SET c.name = row.name, c.aliases = row.aliases
RETURN c.id AS id
