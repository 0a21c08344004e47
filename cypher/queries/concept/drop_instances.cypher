// Takes techniques out of concepts.
// params: rows
// returns: technique
// access: write
UNWIND $rows AS row
MATCH (t:Technique {id: row.technique})-[r:INSTANCE_OF]->(:Concept {id: row.concept})
DELETE r
RETURN t.id AS technique
