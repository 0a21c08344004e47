// Repositories by id, whoever wrote them.
// params: ids
// returns: label, id, element, content_hash, place, curated, embedding_model
// access: read
UNWIND $ids AS id
MATCH (n:Repository {id: id})
RETURN 'Repository' AS label, n.id AS id, elementId(n) AS element, n.content_hash AS content_hash,
       {} AS place, coalesce(n.curated, false) OR coalesce(n.extraction_method = 'curator', false) AS curated,
       n.embedding_model AS embedding_model
