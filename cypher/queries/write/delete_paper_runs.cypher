// Deletes the runs of one paper.
// params: paper
// returns: id
// access: write
MATCH (n:Run {paper: $paper})
WITH n, n.id AS id
DETACH DELETE n
RETURN id
