// The papers that were ingested, with the fingerprint of the sources and the program that made them, whether some of
// it could not be had, and the model that judged their techniques ("" if none did).
// params:
// returns: id, fingerprint, partial, model
// access: read
MATCH (p:Paper)
RETURN p.id AS id, coalesce(p.ingest_fingerprint, '') AS fingerprint,
       coalesce(p.ingest_partial, false) AS partial,
       coalesce(COLLECT {
         MATCH (p)-[:HAS_TECHNIQUE]->(t:Technique)
         WHERE t.extraction_method IN ['llm', 'curator'] AND toStringOrNull(t.model) IS NOT NULL
         RETURN toStringOrNull(t.model) LIMIT 1
       }[0], '') AS model
ORDER BY id
