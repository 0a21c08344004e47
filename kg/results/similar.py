"""Rows of what is like a paper or a technique."""

from kg.results import Row


class SimilarPaperRow(Row):
    """A paper with what it shares with another: `coupling` of their references and `together` of their concepts, both 0
    to 1; `common` works are cited by both, some of which, the least cited first, are `shared`. `score`: see kg.similar.
    """

    query = "show/list_similar_papers"
    id: str
    title: str
    year: int | None
    score: float
    cosine: float | None
    coupling: float
    common: int
    shared: list[str]
    together: float
    concepts: list[str]


class SimilarTechniqueRow(Row):
    """A technique of another paper; `relations` are "same concept" alone, else those of "variant" and "similar"."""

    query = "show/list_similar_techniques"
    id: str
    name: str
    kind: str
    paper: str
    paper_title: str
    relations: list[str]
    cosine: float | None
