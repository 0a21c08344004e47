// Code is found by its verdict, and by the repository and commit it was judged at.
CREATE INDEX code_verdict IF NOT EXISTS FOR (n:Code) ON (n.verdict);
CREATE INDEX code_repository IF NOT EXISTS FOR (n:Code) ON (n.repository);
