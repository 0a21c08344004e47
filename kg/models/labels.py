"""Which labels a node has: the one that is its identity together with its id, and those that say more of what it is."""

from collections.abc import Mapping
from typing import Any

__all__ = ["SUBLABELS", "sublabels"]

SUBLABELS = {"finding": "Finding", "resource": "Resource"}
"""The label that a Technique of this kind has beside its own."""


def sublabels(label: str, properties: Mapping[str, Any]) -> list[str]:
    """What a node of `label` with these properties is labelled besides."""
    found = SUBLABELS.get(str(properties.get("kind"))) if label == "Technique" else None
    return [found] if found else []
