// How many nodes each kind of search looks through.
// params:
// returns: techniques, code, papers, sections
// access: read
RETURN COUNT { (:Technique) } AS techniques, COUNT { (:Code) } AS code, COUNT { (:Paper) } AS papers,
       COUNT { (:Section) } AS sections
