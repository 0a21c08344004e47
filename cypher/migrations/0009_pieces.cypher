// HAS_SECTION ends in sections alone: equations, algorithms, figures and tables hang on an edge that is named for them.
MATCH (a)-[r:HAS_SECTION]->(b:Equation|Algorithm|Figure|Table)
CALL (a, r, b) {
  MERGE (a)-[n:$('HAS_' + toUpper(head(labels(b))))]->(b) ON CREATE SET n = properties(r)
  DELETE r
} IN TRANSACTIONS OF 5000 ROWS;
