// A technique that is a finding, or a resource, says so by a label of its own beside Technique.
MATCH (t:Technique {kind: 'finding'}) WHERE NOT t:Finding
CALL (t) { SET t:Finding } IN TRANSACTIONS OF 5000 ROWS;
MATCH (t:Technique {kind: 'resource'}) WHERE NOT t:Resource
CALL (t) { SET t:Resource } IN TRANSACTIONS OF 5000 ROWS;
