// Notes on papers what was pruned of them and of which sources, so that an ingest of the same does not bring it back.
// params: rows
// returns: id
// access: write
UNWIND $rows AS row
MATCH (p:Paper {id: row.paper})
SET p.pruned = coalesce([x IN p.pruned WHERE NOT x IN row.pruned], []) + row.pruned,
    p.pruned_level = row.level,
    p.pruned_sources = row.sources
RETURN p.id AS id
