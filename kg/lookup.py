"""From what a person types to the one node that is meant."""

import re
from collections.abc import Sequence
from typing import Literal

from kg.errors import AbsentError, InputError
from kg.models.ids import slug
from kg.models.labels import present_id
from kg.printing import quoted
from kg.results.piece import FoundPiece
from kg.results.show import FoundById, FoundByText, NodeName
from kg.search.terms import lucene_query
from kg.store import Store

__all__ = ["Label", "find_node"]

Label = Literal["Paper", "Technique", "Code", "Section", "Equation", "Algorithm", "Table"]
PIECES = ("Section", "Equation", "Algorithm", "Table")
WITHOUT_WORDS = ("Algorithm", "Table")
"""Labels that no full-text index knows."""

LIMIT = 50
NEAR = 5
ARXIV = re.compile(r"(?:arxiv:|https?://arxiv\.org/(?:abs|pdf)/)?(?P<id>\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?(?:\.pdf)?",
                   re.IGNORECASE)  # fmt: skip
LIST = {"Paper": "`xkg paper list` shows all", "Technique": "`xkg search techniques` finds them",
        "Code": "`xkg search code` finds it", "Section": "`xkg search sections` finds them",
        "Equation": "`xkg search equations` finds them", "Algorithm": "`xkg section show ID` lists those of a section",
        "Table": "`xkg section show ID` lists those of a section"}  # fmt: skip


def find_node(store: Store, label: Label, text: str) -> str:
    """The id of the node of `label` that `text` means.

    Understood are the id; its beginning or, but for papers, its end (the slug, the symbol, the label), if only one has
    it; a name, whatever its case, or an alias where nothing has that name; for papers, and before the "#" of other ids,
    an arXiv id with or without "arxiv:", version or address, and a local paper's name without "local:", or as its
    folder is spelled; and the name of a paper in its corpus file.
    Raises InputError, with near matches, if none or several are meant, AbsentError if there is none near.
    """
    text = text.strip()
    if not text:
        raise InputError(f"the {label.lower()}'s id is empty", remedy=LIST[label])
    ids = _spellings(label, text)
    found_by = FoundPiece if label in PIECES else FoundById
    ends = ("#", "/") if label in PIECES else ("#t/", "#", "/", ".", ":")
    endings = [] if label == "Paper" else [f"{end}{text}" for end in ends]
    rows: Sequence[NodeName] = store.rows(found_by, label=label, ids=ids, endings=endings, limit=LIMIT)
    exact = sorted((row for row in rows if row.id in ids), key=lambda row: ids.index(row.id))
    if exact and (len(exact) == 1 or exact[0].id == text):
        return exact[0].id
    if exact:
        raise _several(text, exact)
    near = _near(store, label, text)
    named = {row.id: row for row in (*rows, *near) if row.name.casefold() == text.casefold()}
    called = {row.id: row for row in near if text.casefold() in map(str.casefold, row.aliases)}
    for choice in (_ingested([*named.values()]), _ingested(rows), [*called.values()]):
        if len(choice) == 1:
            return choice[0].id
        if choice:
            raise _several(text, choice)
    if not near:
        raise AbsentError(f"the graph has no {label.lower()} {quoted(text)}", remedy=LIST[label])
    raise InputError(
        f"the graph has no {label.lower()} {quoted(text)}; near it are {_list(near[:NEAR])}",
        remedy="give one of these ids",
    )


def _spellings(label: Label, text: str) -> list[str]:
    if label != "Paper":
        paper, mark, rest = text.partition("#")
        ids = [f"{spelling}{mark}{rest}" for spelling in _spellings("Paper", paper)] if paper and mark else [text]
        return list(dict.fromkeys([*ids, present_id(label, text)]))
    found = [text]
    if match := ARXIV.fullmatch(text):
        found.append(f"arxiv:{match['id']}")
    if text.lower().startswith("10."):
        found.append(f"doi:{text.lower()}")
    found += [f"{kind}:{text}" for kind in ("arxiv", "local") if ":" not in text]
    kind, _, name = text.rpartition(":")
    found += [f"local:{slug(name)}"] * (kind in {"", "local"} and bool(name))  # its folder's, as it is spelled
    return list(dict.fromkeys(found))


def _near(store: Store, label: Label, text: str) -> Sequence[NodeName]:
    query = lucene_query(text.replace("#t/", " ").replace("-", " "))
    if not query or label in WITHOUT_WORDS:
        return []
    indexes = ("paper_text", "cited_work_text") if label == "Paper" else (f"{label.lower()}_text",)
    return [row for index in indexes for row in store.rows(FoundByText, index=index, query=query, limit=NEAR)]


def _ingested(rows: Sequence[NodeName]) -> list[NodeName]:
    """Without papers that are only cited, unless there is nothing else."""
    return [row for row in rows if row.status != "cited"] or list(rows)


def _several(text: str, choice: Sequence[NodeName]) -> InputError:
    return InputError(f"{quoted(text)} can mean several: {_list(choice)}", remedy="give the whole id")


def _list(rows: Sequence[NodeName]) -> str:
    shown = ", ".join(f"{row.id} ({row.name})" if row.name else row.id for row in rows[:NEAR])
    return shown + (f" and {len(rows) - NEAR} more" if len(rows) > NEAR else "")
