// Keeps an execution; one that is there under this id ran the same code the same way, and now says what it showed last.
// params: id, properties
// returns: id
// access: write
MERGE (e:Execution {id: $id})
SET e = $properties, e.id = $id
RETURN e.id AS id
