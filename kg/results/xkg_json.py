"""Rows of the export of xKG's JSON graphs.

`keys` are the keys of the object that was imported, in their order, `rest` a JSON object of what no property holds;
both are None for what was not imported.
"""

from kg.results import Row


class GraphPaper(Row):
    """A paper; `main` is the name of the file it was read from, `code_files` None if it was not imported."""

    query = "xkg_json/read_papers"
    id: str
    title: str
    abstract: str
    main: str
    reference_titles: list[str]
    code_files: str | None
    code_overview: str
    keys: list[str] | None
    rest: str | None


class GraphTechnique(Row):
    """A technique with its place in the tree: `parent` is None at the top; `text` is a finding's or resource's own."""

    query = "xkg_json/read_techniques"
    id: str
    parent: str | None
    order: int
    name: str
    kind: str | None
    definition: str
    weight: float
    text: str | None
    keys: list[str] | None
    rest: str | None


class GraphCode(Row):
    """Code that is asserted for a technique; `claimed` is what the importer's source says of its running, `ran` what
    its current execution showed of it (None: there is none).
    """

    query = "xkg_json/read_code"
    technique: str
    id: str
    implementation: str
    test: str
    documentation: str
    requirements: list[str]
    claimed: bool | None
    verdict: str
    ran: bool | None
    origin: str
    licence: str | None
    repository: str | None
    commit: str | None
    file: str | None
    line: int | None
    end_line: int | None
    keys: list[str] | None
    rest: str | None
