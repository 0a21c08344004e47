// Papers, ingested or only cited, that have one of these ids or go by one of these arXiv ids, DOIs or title keys.
// params: ids, arxiv_ids, dois, title_keys
// returns: label, id, element, content_hash, place, curated, embedding_model, status, arxiv_id, doi, title_key
// access: read
CALL () {
  UNWIND $ids AS key MATCH (p:Paper {id: key}) RETURN p
  UNION
  UNWIND $arxiv_ids AS key MATCH (p:Paper {arxiv_id: key}) RETURN p
  UNION
  UNWIND $dois AS key MATCH (p:Paper {doi: key}) RETURN p
  UNION
  UNWIND $title_keys AS key MATCH (p:Paper {title_key: key}) RETURN p
}
RETURN 'Paper' AS label, p.id AS id, elementId(p) AS element, p.content_hash AS content_hash, {} AS place,
       coalesce(p.curated, false) OR coalesce(p.extraction_method = 'curator', false) AS curated,
       p.embedding_model AS embedding_model, p.status AS status, p.arxiv_id AS arxiv_id, p.doi AS doi,
       p.title_key AS title_key
ORDER BY id
