// What tells this database from every other, also of the same name.
// params:
// returns: id
// access: read
CALL db.info() YIELD id
RETURN id
