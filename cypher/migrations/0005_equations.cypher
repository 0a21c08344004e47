// Equations are found by their symbols, as LaTeX and as readable text, and by the sentence around them.
CREATE FULLTEXT INDEX equation_text IF NOT EXISTS FOR (n:Equation) ON EACH [n.text, n.latex, n.label, n.context] OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
