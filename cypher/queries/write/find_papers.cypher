// Papers, ingested or only cited, that go by one of these arXiv ids, DOIs or title keys.
// params: arxiv_ids, dois, title_keys
// returns: id, element, status, arxiv_id, doi, title_key
// access: read
CALL () {
  UNWIND $arxiv_ids AS key MATCH (p:Paper {arxiv_id: key}) RETURN p
  UNION
  UNWIND $dois AS key MATCH (p:Paper {doi: key}) RETURN p
  UNION
  UNWIND $title_keys AS key MATCH (p:Paper {title_key: key}) RETURN p
}
RETURN p.id AS id, elementId(p) AS element, p.status AS status, p.arxiv_id AS arxiv_id, p.doi AS doi,
       p.title_key AS title_key
ORDER BY id
