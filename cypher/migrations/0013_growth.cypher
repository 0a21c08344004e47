// What is looked for by these without any label's whole list: papers by the name that a corpus file gives them, code that
// was judged, decisions by their technique.
CREATE INDEX paper_slug IF NOT EXISTS FOR (n:Paper) ON (n.slug);
CREATE INDEX code_verdict_program IF NOT EXISTS FOR (n:Code) ON (n.verdict_program);
CREATE INDEX decision_technique IF NOT EXISTS FOR (n:Decision) ON (n.technique);
// Ids are found by their end too.
CREATE TEXT INDEX technique_id_end IF NOT EXISTS FOR (n:Technique) ON (n.id);
CREATE TEXT INDEX code_id_end IF NOT EXISTS FOR (n:Code) ON (n.id);
CREATE TEXT INDEX section_id_end IF NOT EXISTS FOR (n:Section) ON (n.id);
CREATE TEXT INDEX equation_id_end IF NOT EXISTS FOR (n:Equation) ON (n.id);
CREATE TEXT INDEX algorithm_id_end IF NOT EXISTS FOR (n:Algorithm) ON (n.id);
CREATE TEXT INDEX table_id_end IF NOT EXISTS FOR (n:Table) ON (n.id);
