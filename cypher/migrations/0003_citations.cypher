// A cited work is also recognised by what any citing paper calls it.
CREATE INDEX cites_arxiv_id IF NOT EXISTS FOR ()-[r:CITES]-() ON (r.arxiv_id);
CREATE INDEX cites_doi IF NOT EXISTS FOR ()-[r:CITES]-() ON (r.doi);
CREATE INDEX cites_title_key IF NOT EXISTS FOR ()-[r:CITES]-() ON (r.title_key);
