// A work that is only cited is no Paper but a CitedWork, found by its own names and words.
CREATE CONSTRAINT cited_work_id IF NOT EXISTS FOR (n:CitedWork) REQUIRE n.id IS UNIQUE;
CREATE INDEX cited_work_arxiv_id IF NOT EXISTS FOR (n:CitedWork) ON (n.arxiv_id);
CREATE INDEX cited_work_doi IF NOT EXISTS FOR (n:CitedWork) ON (n.doi);
CREATE INDEX cited_work_title_key IF NOT EXISTS FOR (n:CitedWork) ON (n.title_key);
CREATE FULLTEXT INDEX cited_work_text IF NOT EXISTS FOR (n:CitedWork) ON EACH [n.title] OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
MATCH (p:Paper {status: 'cited'})
CALL (p) { SET p:CitedWork REMOVE p:Paper } IN TRANSACTIONS OF 5000 ROWS;
