// Code that was judged says its verdict by a label beside Code, so that it can be coloured by it.
MATCH (c:Code {verdict: 'verified'}) WHERE NOT c:Verified
CALL (c) { SET c:Verified } IN TRANSACTIONS OF 5000 ROWS;
MATCH (c:Code {verdict: 'failed'}) WHERE NOT c:Failed
CALL (c) { SET c:Failed } IN TRANSACTIONS OF 5000 ROWS;
MATCH (c:Code {verdict: 'stale'}) WHERE NOT c:Stale
CALL (c) { SET c:Stale } IN TRANSACTIONS OF 5000 ROWS;
