// Remembers that a migration was applied, and the checksum of its file.
// params: id, number, name, checksum
// returns: id
// access: write
MERGE (m:Migration {id: $id})
SET m.number = $number, m.name = $name, m.checksum = $checksum
RETURN m.id AS id
