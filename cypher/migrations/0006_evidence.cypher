// What speaks for an implementation was a JSON object in one property, and is a property for each kind of evidence.
MATCH ()-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY|NOT_IMPLEMENTED_BY]->() WHERE r.why IS NOT NULL
CALL (r) {
  FOREACH (part IN [x IN split(replace(replace(replace(r.why, '{', ''), '}', ''), '"', ''), ', ') WHERE x =~ '[a-z_]+: [0-9.eE+-]+'] |
    SET r['why_' + split(part, ': ')[0]] = toFloat(split(part, ': ')[1])
  )
  REMOVE r.why
} IN TRANSACTIONS OF 5000 ROWS;
// Runs are tied to the papers and repositories that they brought.
MATCH (r:Run) MATCH (p:Paper {id: r.paper})
MERGE (r)-[:MADE]->(p);
MATCH (r:Run) MATCH (o:Repository {id: r.repository})
MERGE (r)-[:MADE]->(o);
// A repository that shared its id with its paper was given the paper's vector.
MATCH (r:Repository) WHERE r.embedding IS NOT NULL
REMOVE r.embedding, r.embedding_model;
