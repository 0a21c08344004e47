// Gives a technique the name that a curator chose, the former one among its aliases. What was said of the former words
// ends with the next joining.
// params: technique, name, word
// returns: id, name, aliases, definition, element, model
// access: write
MATCH (t:Technique {id: $technique})
WITH t, t.name AS former, [x IN coalesce(t.aliases, []) WHERE x <> $name] AS others
SET t.name = $name, t.coined = null, t.unjoined = CASE WHEN former = $name THEN t.unjoined ELSE true END,
    t.aliases = CASE WHEN former = $name OR former IN others THEN others ELSE others + former END
SET t += $word
RETURN t.id AS id, t.name AS name, t.aliases AS aliases, coalesce(t.definition, '') AS definition,
       elementId(t) AS element, t.embedding_model AS model
