// Says how techniques relate, how sure that is, who decided it and why.
// params: rows
// returns: id
// access: write
UNWIND $rows AS row
MATCH (a:Technique {id: row.one})
MATCH (b:Technique {id: row.other})
MERGE (a)-[r:$(row.type)]->(b)
SET r = row.properties
RETURN a.id AS id
