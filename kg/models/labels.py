"""Which labels a node has: the one that is its identity together with its id, which the id's form tells, and those that
say more of what it is."""

import re
from collections.abc import Mapping
from typing import Any

__all__ = ["PIECES", "STATUS", "labels_of", "node_key", "present_id", "sublabels", "work_label"]

STATUS = {"Paper": "ingested", "CitedWork": "cited"}
"""Labels of works, with the status that each has. No id is of both: what is ingested becomes a Paper."""

SUBLABELS = {"finding": "Finding", "resource": "Resource"}
"""The label that a Technique of this kind has beside its own."""

VERDICTS = {"verified": "Verified", "failed": "Failed", "stale": "Stale"}
"""The label that Code of this verdict has beside its own, which Neo4j Browser colours; of what is unverified, none."""

PIECES = frozenset({"Section", "Equation", "Algorithm", "Figure", "Table"})
"""Labels of what a document is made of: its own ids tell these apart."""

_WORK = r"(?:arxiv|doi|local):[^#]+"
_REPOSITORY = r"(?:github|folder):[^#@]+"
_FORMS = (
    (re.compile(_WORK, re.DOTALL), frozenset(STATUS)),
    (re.compile(_REPOSITORY, re.DOTALL), frozenset({"Repository"})),
    (re.compile(rf"{_REPOSITORY}@.+|{_WORK}#c/.+", re.DOTALL), frozenset({"Code"})),
    (re.compile(rf"{_WORK}#t/.+", re.DOTALL), frozenset({"Technique"})),
    (re.compile(rf"{_WORK}#(?![ct]/).+", re.DOTALL), PIECES),
    (re.compile(r"run:.+"), frozenset({"Run"})),
)


def labels_of(node: str) -> frozenset[str]:
    """The labels that a node which is written from a record may have by the form of its id: none for an id of no form.

    No id is of two forms, so that none belongs to nodes of two kinds.
    """
    return next((labels for form, labels in _FORMS if form.fullmatch(node)), frozenset())


def present_id(label: str, node: str) -> str:
    """The id that a node has now which a file of any form calls so: repositories that are folders, and their code, had
    ids as papers have."""
    former = label in ("Repository", "Code") and re.match(r"local:[^#@]+(?=@|$)", node)
    return f"folder:{node.removeprefix('local:')}" if former else node


def node_key(label: str, node: str) -> tuple[str, str]:
    """What two nodes of a file, or one of a file and one of the graph, share only if they are the same."""
    return "Paper" if label in STATUS else label, present_id(label, node)


def sublabels(label: str, properties: Mapping[str, Any]) -> list[str]:
    """What a node of `label` with these properties is labelled besides."""
    told = {"Technique": (SUBLABELS, "kind"), "Code": (VERDICTS, "verdict")}
    names, key = told.get(label, ({}, ""))
    found = names.get(str(properties.get(key)))
    return [found] if found else []


def work_label(label: str, properties: Mapping[str, Any]) -> str:
    """The label that a node has now which a file of any form calls so: works that are only cited were Papers."""
    return "CitedWork" if label == "Paper" and properties.get("status") == "cited" else label
