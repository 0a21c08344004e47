// Papers and works that are only cited that have one of these ids, or go by one of these arXiv ids, DOIs or title keys, in
// their own words or in those of a paper that cites them; what one paper says in its citations is left out.
// params: ids, arxiv_ids, dois, title_keys, except_paper
// returns: label, id, element, content_hash, place, curated, embedding_model, arxiv_ids, dois, title_keys
// access: read
CALL () {
  UNWIND $ids AS key MATCH (p:Paper|CitedWork {id: key}) RETURN p
  UNION
  UNWIND $arxiv_ids AS key MATCH (p:Paper|CitedWork {arxiv_id: key}) RETURN p
  UNION
  UNWIND $dois AS key MATCH (p:Paper|CitedWork {doi: key}) RETURN p
  UNION
  UNWIND $title_keys AS key MATCH (p:Paper|CitedWork {title_key: key}) RETURN p
  UNION
  UNWIND $arxiv_ids AS key MATCH (c:Paper)-[:CITES {arxiv_id: key}]->(p) WHERE c.id <> $except_paper RETURN p
  UNION
  UNWIND $dois AS key MATCH (c:Paper)-[:CITES {doi: key}]->(p) WHERE c.id <> $except_paper RETURN p
  UNION
  UNWIND $title_keys AS key MATCH (c:Paper)-[:CITES {title_key: key}]->(p) WHERE c.id <> $except_paper RETURN p
}
CALL (p) {
  OPTIONAL MATCH (c:Paper)-[r:CITES]->(p) WHERE c.id <> $except_paper
  RETURN collect(DISTINCT r.arxiv_id) AS arxiv_ids, collect(DISTINCT r.doi) AS dois,
         collect(DISTINCT r.title_key) AS title_keys
}
WITH p, p:Paper AS ingested, arxiv_ids, dois, title_keys
RETURN CASE WHEN p:Paper THEN 'Paper' ELSE 'CitedWork' END AS label, p.id AS id, elementId(p) AS element, p.content_hash AS content_hash, {} AS place,
       coalesce(p.curated, false) OR coalesce(p.extraction_method = 'curator', false) AS curated,
       p.embedding_model AS embedding_model,
       arxiv_ids + CASE WHEN ingested AND p.arxiv_id IS NOT NULL THEN [p.arxiv_id] ELSE [] END AS arxiv_ids,
       dois + CASE WHEN ingested AND p.doi IS NOT NULL THEN [p.doi] ELSE [] END AS dois,
       title_keys + CASE WHEN ingested AND p.title_key IS NOT NULL THEN [p.title_key] ELSE [] END AS title_keys
ORDER BY id
