// Notes the keys under which techniques are found by others, and that they are joined.
// params: rows
// returns: id
// access: write
UNWIND $rows AS row
MATCH (t:Technique {id: row.technique})
SET t.unjoined = null
SET t.joining = CASE WHEN t.joining = row.keys THEN t.joining ELSE row.keys END
RETURN t.id AS id
