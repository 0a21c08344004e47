// Says of techniques which concept they are instances of, how sure that is, who decided it and beside which other.
// params: rows
// returns: technique
// access: write
UNWIND $rows AS row
MATCH (t:Technique {id: row.technique})
MATCH (c:Concept {id: row.concept})
MERGE (t)-[r:INSTANCE_OF]->(c)
SET r.score = row.score, r.decided_by = row.decided_by, r.beside = row.beside
RETURN t.id AS technique
