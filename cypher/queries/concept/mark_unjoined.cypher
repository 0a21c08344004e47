// Marks techniques that were never joined, as those of a file that an older xkg wrote; with everything, also the others:
// their words are as they were when they were joined, but what may be one with them is not.
// params: everything
// returns: marked
// access: write
MATCH (t:Technique) WHERE t.unjoined IS NULL AND ($everything OR t.joining IS NULL)
SET t.unjoined = t.joining IS NULL
RETURN count(t) AS marked
