// Full text, by label; English words are stemmed, stop words left out.
CREATE FULLTEXT INDEX technique_text IF NOT EXISTS FOR (n:Technique) ON EACH [n.name, n.aliases, n.definition] OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CREATE FULLTEXT INDEX code_text IF NOT EXISTS FOR (n:Code) ON EACH [n.name, n.symbol, n.documentation, n.identifiers] OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CREATE FULLTEXT INDEX paper_text IF NOT EXISTS FOR (n:Paper) ON EACH [n.title, n.abstract] OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CREATE FULLTEXT INDEX section_text IF NOT EXISTS FOR (n:Section) ON EACH [n.title, n.text] OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
// Vectors of the default model; another model's first use builds them anew for its own dimension.
CREATE VECTOR INDEX technique_vector IF NOT EXISTS FOR (n:Technique) ON (n.embedding) OPTIONS {indexConfig: {`vector.dimensions`: 384, `vector.similarity_function`: 'cosine'}};
CREATE VECTOR INDEX code_vector IF NOT EXISTS FOR (n:Code) ON (n.embedding) OPTIONS {indexConfig: {`vector.dimensions`: 384, `vector.similarity_function`: 'cosine'}};
CREATE VECTOR INDEX paper_vector IF NOT EXISTS FOR (n:Paper) ON (n.embedding) OPTIONS {indexConfig: {`vector.dimensions`: 384, `vector.similarity_function`: 'cosine'}};
CREATE VECTOR INDEX section_vector IF NOT EXISTS FOR (n:Section) ON (n.embedding) OPTIONS {indexConfig: {`vector.dimensions`: 384, `vector.similarity_function`: 'cosine'}};
