// Every node has one natural id, unique for its label; the same constraint is the index that finds it.
CREATE CONSTRAINT paper_id IF NOT EXISTS FOR (n:Paper) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT section_id IF NOT EXISTS FOR (n:Section) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT equation_id IF NOT EXISTS FOR (n:Equation) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT algorithm_id IF NOT EXISTS FOR (n:Algorithm) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT figure_id IF NOT EXISTS FOR (n:Figure) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT table_id IF NOT EXISTS FOR (n:Table) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT technique_id IF NOT EXISTS FOR (n:Technique) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT concept_id IF NOT EXISTS FOR (n:Concept) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT code_id IF NOT EXISTS FOR (n:Code) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT repository_id IF NOT EXISTS FOR (n:Repository) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT execution_id IF NOT EXISTS FOR (n:Execution) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT run_id IF NOT EXISTS FOR (n:Run) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT audit_id IF NOT EXISTS FOR (n:Decision) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT index_info_id IF NOT EXISTS FOR (n:IndexInfo) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT lock_id IF NOT EXISTS FOR (n:Lock) REQUIRE n.id IS UNIQUE;
// A cited work is recognised by its arXiv id, its DOI or its title.
CREATE INDEX paper_arxiv_id IF NOT EXISTS FOR (n:Paper) ON (n.arxiv_id);
CREATE INDEX paper_doi IF NOT EXISTS FOR (n:Paper) ON (n.doi);
CREATE INDEX paper_title_key IF NOT EXISTS FOR (n:Paper) ON (n.title_key);
CREATE INDEX run_paper IF NOT EXISTS FOR (n:Run) ON (n.paper);
