// Takes relations of techniques back.
// params: rows
// returns: dropped
// access: write
UNWIND $rows AS row
MATCH (a:Technique {id: row.one})-[r:$(row.type)]->(:Technique {id: row.other})
DELETE r
RETURN count(*) AS dropped
