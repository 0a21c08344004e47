// The code of one repository at one commit: every Code node whose id starts with "<repository>@<commit>:".
// params: prefix
// returns: label, id, element, content_hash, place, curated, embedding_model
// access: read
MATCH (n:Code) WHERE n.id STARTS WITH $prefix
RETURN 'Code' AS label, n.id AS id, elementId(n) AS element, n.content_hash AS content_hash,
       n {.file, .start, .end, .line, .end_line, .spans} AS place,
       coalesce(n.curated, false) OR coalesce(n.extraction_method = 'curator', false) AS curated,
       n.embedding_model AS embedding_model
