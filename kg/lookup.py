"""From what a person types to the one node that is meant."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from kg.errors import InputError
from kg.search.terms import lucene_query
from kg.store import Store

__all__ = ["find_node"]

Label = Literal["Paper", "Technique", "Code"]

LIMIT = 50
NEAR = 5
ARXIV = re.compile(r"(?:arxiv:|https?://arxiv\.org/(?:abs|pdf)/)?(?P<id>\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?(?:\.pdf)?",
                   re.IGNORECASE)  # fmt: skip
LIST = {"Paper": "`xkg paper list` shows all", "Technique": "`xkg search techniques` finds them",
        "Code": "`xkg search code` finds it"}  # fmt: skip

Row = Mapping[str, Any]


def find_node(store: Store, label: Label, text: str) -> str:
    """The id of the node of `label` that `text` means.

    Understood are the id; its beginning or, for techniques and code, its end (the slug, the symbol), if only one has
    it; a name, whatever its case; for papers an arXiv id with or without "arxiv:", version or address.
    Raises InputError, with near matches, if none or several are meant.
    """
    text = text.strip()
    if not text:
        raise InputError(f"the {label.lower()}'s id is empty", remedy=LIST[label])
    ids = _spellings(label, text)
    endings = [] if label == "Paper" else [f"#t/{text}", f"#{text}", f"/{text}", f".{text}"]
    rows = store.read("show/find_by_id", label=label, ids=ids, endings=endings, limit=LIMIT)
    for wanted in ids:
        if any(row["id"] == wanted for row in rows):
            return wanted
    near = _near(store, label, text)
    named = _distinct([row for row in (*rows, *near) if row["name"].casefold() == text.casefold()])
    for choice in (_ingested(named), _ingested(rows)):
        if len(choice) == 1:
            return str(choice[0]["id"])
        if choice:
            raise InputError(f"{text!r} can mean several: {_list(choice)}", remedy="give the whole id")
    if not near:
        raise InputError(f"the graph has no {label.lower()} {text!r}", remedy=LIST[label])
    raise InputError(
        f"the graph has no {label.lower()} {text!r}; near it are {_list(near[:NEAR])}", remedy="give one of these ids"
    )


def _spellings(label: Label, text: str) -> list[str]:
    found = [text]
    if label == "Paper":
        if match := ARXIV.fullmatch(text):
            found.append(f"arxiv:{match['id']}")
        if text.lower().startswith("10."):
            found.append(f"doi:{text.lower()}")
        found += [f"{kind}:{text}" for kind in ("arxiv", "local") if ":" not in text]
    return list(dict.fromkeys(found))


def _near(store: Store, label: Label, text: str) -> list[dict[str, Any]]:
    query = lucene_query(text.replace("#t/", " ").replace("-", " "))
    if not query:
        return []
    return store.read("show/find_by_text", index=f"{label.lower()}_text", query=query, limit=NEAR)


def _distinct(rows: Sequence[Row]) -> list[Row]:
    return list({row["id"]: row for row in rows}.values())


def _ingested(rows: Sequence[Row]) -> list[Row]:
    """Without papers that are only cited, unless there is nothing else."""
    return [row for row in rows if row["status"] != "cited"] or list(rows)


def _list(rows: Sequence[Row]) -> str:
    told = ", ".join(f"{row['id']} ({row['name']})" if row["name"] else row["id"] for row in rows[:NEAR])
    return told + (f" and {len(rows) - NEAR} more" if len(rows) > NEAR else "")
