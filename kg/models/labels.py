"""Which labels a node has: the one that is its identity together with its id, and those that say more of what it is."""

from collections.abc import Mapping
from typing import Any

__all__ = ["STATUS", "SUBLABELS", "sublabels", "work_label"]

STATUS = {"Paper": "ingested", "CitedWork": "cited"}
"""Labels of works, with the status that each has. No id is of both: what is ingested becomes a Paper."""

SUBLABELS = {"finding": "Finding", "resource": "Resource"}
"""The label that a Technique of this kind has beside its own."""


def sublabels(label: str, properties: Mapping[str, Any]) -> list[str]:
    """What a node of `label` with these properties is labelled besides."""
    found = SUBLABELS.get(str(properties.get("kind"))) if label == "Technique" else None
    return [found] if found else []


def work_label(label: str, properties: Mapping[str, Any]) -> str:
    """The label that a node has now which a file of any form calls so: works that are only cited were Papers."""
    return "CitedWork" if label == "Paper" and properties.get("status") == "cited" else label
