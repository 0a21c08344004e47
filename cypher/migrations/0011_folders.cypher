// A repository that is a folder is called folder:<slug>, for local:<slug> is a paper. Its seals hold: they are of the code
// under either name.
MATCH (r:Repository) WHERE r.id STARTS WITH 'local:'
SET r.id = 'folder:' + substring(r.id, 6);
MATCH (c:Code) WHERE c.repository STARTS WITH 'local:'
CALL (c) {
  SET c.id = CASE WHEN c.id STARTS WITH c.repository + '@' THEN 'folder:' + substring(c.id, 6) ELSE c.id END,
      c.repository = 'folder:' + substring(c.repository, 6)
} IN TRANSACTIONS OF 5000 ROWS;
MATCH (r:Run) WHERE r.repository STARTS WITH 'local:'
SET r.repository = 'folder:' + substring(r.repository, 6);
