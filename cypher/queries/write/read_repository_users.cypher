// Which papers use which repositories at which commits.
// params: ids
// returns: repository, paper, commit
// access: read
UNWIND $ids AS id
MATCH (p:Paper)-[r:HAS_REPOSITORY]->(:Repository {id: id})
RETURN id AS repository, p.id AS paper, r.commit AS commit
