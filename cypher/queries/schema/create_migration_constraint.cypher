// Makes sure that no migration is recorded twice, before the first one is.
// params:
// returns:
// access: write
CREATE CONSTRAINT migration_id IF NOT EXISTS FOR (n:Migration) REQUIRE n.id IS UNIQUE
