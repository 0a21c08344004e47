// Deletes the runs of one paper.
// params: paper
// returns: deleted
// access: write
MATCH (n:Run {paper: $paper})
DETACH DELETE n
RETURN count(*) AS deleted
