// Techniques are found by the keys under which they are joined, exactly as they are written; what has changed since
// joining is marked.
CREATE FULLTEXT INDEX technique_keys IF NOT EXISTS FOR (n:Technique) ON EACH [n.joining] OPTIONS {indexConfig: {`fulltext.analyzer`: 'keyword'}};
CREATE INDEX technique_unjoined IF NOT EXISTS FOR (n:Technique) ON (n.unjoined);
CREATE INDEX concept_unjoined IF NOT EXISTS FOR (n:Concept) ON (n.unjoined);
MATCH (t:Technique) WHERE t.joining IS NULL SET t.unjoined = true;
