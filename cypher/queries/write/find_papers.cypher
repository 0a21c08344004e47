// Papers and works that are only cited that have one of these ids, or go by one of these arXiv ids, DOIs or title keys, in
// their own words or in those of a paper that cites them; what one paper says in its citations is left out. Of the names
// that a paper goes by those are told that were asked for, of a cited work only those in others' words, and of arXiv ids
// one more, if it has any.
// params: ids, arxiv_ids, dois, title_keys, except_paper
// returns: label, id, element, content_hash, place, curated, embedding_model, arxiv_ids, dois, title_keys
// access: read
OPTIONAL MATCH (me:Paper {id: $except_paper})
CALL (me) {
  UNWIND $ids AS key MATCH (p:Paper|CitedWork {id: key}) RETURN p, 'id' AS kind, key
  UNION
  UNWIND $arxiv_ids AS key MATCH (p:Paper {arxiv_id: key}) RETURN p, 'arxiv_id' AS kind, key
  UNION
  UNWIND $arxiv_ids AS key MATCH (p:CitedWork {arxiv_id: key}) RETURN p, 'id' AS kind, key
  UNION
  UNWIND $dois AS key MATCH (p:Paper {doi: key}) RETURN p, 'doi' AS kind, key
  UNION
  UNWIND $dois AS key MATCH (p:CitedWork {doi: key}) RETURN p, 'id' AS kind, key
  UNION
  UNWIND $title_keys AS key MATCH (p:Paper {title_key: key}) RETURN p, 'title_key' AS kind, key
  UNION
  UNWIND $title_keys AS key MATCH (p:CitedWork {title_key: key}) RETURN p, 'id' AS kind, key
  UNION
  UNWIND $arxiv_ids AS key MATCH (c)-[:CITES {arxiv_id: key}]->(p) WHERE NOT coalesce(c = me, false)
  RETURN DISTINCT p, 'arxiv_id' AS kind, key
  UNION
  UNWIND $dois AS key MATCH (c)-[:CITES {doi: key}]->(p) WHERE NOT coalesce(c = me, false)
  RETURN DISTINCT p, 'doi' AS kind, key
  UNION
  UNWIND $title_keys AS key MATCH (c)-[:CITES {title_key: key}]->(p) WHERE NOT coalesce(c = me, false)
  RETURN DISTINCT p, 'title_key' AS kind, key
}
WITH me, p, collect({kind: kind, key: key}) AS names
RETURN CASE WHEN p:Paper THEN 'Paper' ELSE 'CitedWork' END AS label, p.id AS id, elementId(p) AS element, p.content_hash AS content_hash, {} AS place,
       coalesce(p.curated, false) OR coalesce(p.extraction_method = 'curator', false) AS curated,
       p.embedding_model AS embedding_model,
       [n IN names WHERE n.kind = 'arxiv_id' | n.key] + CASE WHEN p:Paper AND p.arxiv_id IS NOT NULL THEN [p.arxiv_id] ELSE [] END
       + CASE WHEN p.arxiv_id IS NULL AND p:CitedWork THEN [] ELSE COLLECT {
         MATCH (c)-[r:CITES]->(p) WHERE r.arxiv_id IS NOT NULL AND NOT coalesce(c = me, false)
         RETURN r.arxiv_id LIMIT 1
       } END AS arxiv_ids,
       [n IN names WHERE n.kind = 'doi' | n.key] AS dois, [n IN names WHERE n.kind = 'title_key' | n.key] AS title_keys
ORDER BY id
