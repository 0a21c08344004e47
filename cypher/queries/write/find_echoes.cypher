// Of these cited works those of which a paper other than one says just what the row says.
// params: rows, except_paper
// returns: element
// access: read
UNWIND $rows AS row
MATCH (p) WHERE elementId(p) = row.cited AND EXISTS {
  MATCH (c:Paper)-[r:CITES]->(p)
  WHERE coalesce(r.title, '') = row.title AND coalesce(r.authors, []) = row.authors AND coalesce(r.year, 0) = row.year
    AND coalesce(r.arxiv_id, '') = row.arxiv_id AND coalesce(r.doi, '') = row.doi AND c.id <> $except_paper
}
RETURN row.cited AS element
