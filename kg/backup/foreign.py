"""What of a backup was not written by this home as it stands, and how it may enter: as a file's word, not as a finding.

Who edits an export, or makes one, can say whatever he likes of papers, techniques and code. What this home did not
seal enters with the method ``import``, by which every view tells it; no assertion and no curator's decision enters so,
and no licence; and as nothing says from which text it was made, the next ingest makes it anew.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from kg.backup.checking import CheckedFile
from kg.models.labels import present_id
from kg.verdicts.seals import Seals

__all__ = ["Foreign", "line_statement", "whole_statement"]

METHOD = "import"
SHOWN = 5
"""Names of foreign nodes and edges that a report gives."""
FACTS = frozenset(
    {"Paper", "CitedWork", "Section", "Equation", "Algorithm", "Figure", "Table", "Technique", "Code", "Repository"}
)  # fmt: skip
"""Labels of what was read from a source."""
DECISIONS = frozenset({"Decision", "NOT_IMPLEMENTED_BY"})
"""Labels and types of what only a curator says."""
EVIDENCE = ("standing", "confidence", "disagrees", "quotes", "realises", "part", "reason", "why", "level")
"""What speaks for an implementation, besides its score; all that begins with ``why_`` does, too."""


class Foreign:
    """Tells the lines of one file that were not sealed by a home that `seals` know (None: nothing was).

    `counts` are its nodes and edges, `first` names some, `decisions` counts those of curators that were left out.
    `whole` is whether the file is one export as it was written, nothing added, taken out or moved.
    """

    def __init__(self, file: CheckedFile, seals: Seals | None) -> None:
        self._seals = seals
        self.whole = seals is not None and seals.fits(file.seal, *whole_statement(file.sha256))
        self.counts: Counter[str] = Counter()
        self.first: list[str] = []
        self.decisions = 0

    def _has(self, item: Mapping[str, Any]) -> bool:
        if self.whole or (self._seals and self._seals.fits(item.get("seal"), *line_statement(item))):
            return False
        self.counts["node" if "node" in item else "edge"] += 1
        if len(self.first) < SHOWN:
            self.first.append(_name(item))
        return True

    def node(self, item: Mapping[str, Any], properties: dict[str, Any], *, judged: bool) -> dict[str, Any] | None:
        """The properties with which a node may enter, None for one that may not; `judged` if its verdict is believed,
        for that says of code which licence it has."""
        given = dict(properties)
        if item["node"] == "Paper" and not self.whole:
            given.pop("ingest_fingerprint", None)
        if not self._has(item):
            return given
        if item["node"] in DECISIONS:
            self.decisions += 1
            return None
        given.pop("curated", None)
        if item["node"] in FACTS:
            given.pop("content_hash", None)
            given["extraction_method"] = METHOD
        if item["node"] == "Repository" or (item["node"] == "Code" and not judged):
            given["licence"] = "unknown"
        return given

    def edge(self, item: Mapping[str, Any], properties: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
        """The type and the properties with which an edge may enter, None for one that may not."""
        kind = str(item["edge"])
        if not self._has(item) or kind == "VERIFIED_BY":
            return kind, properties
        if kind in DECISIONS:
            self.decisions += 1
            return None
        given = {key: value for key, value in properties.items() if key != "curated"}
        given |= {key: METHOD for key in ("extraction_method", "decided_by", "method") if key in given}
        if "official" in given:
            given["official"] = False
        if kind in ("IMPLEMENTED_BY", "MAY_BE_IMPLEMENTED_BY"):
            bare = {key: value for key, value in given.items() if key not in EVIDENCE and not key.startswith("why_")}
            return "MAY_BE_IMPLEMENTED_BY", bare
        return kind, given


def line_statement(item: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """What the seal of a node or an edge in a backup says: all of its line."""
    return "exported", {name: value for name, value in item.items() if name != "seal"}


def whole_statement(sha256: str) -> tuple[str, dict[str, Any]]:
    """What the seal of a backup says: every byte before it."""
    return "export", {"sha256": sha256}


def _name(item: Mapping[str, Any]) -> str:
    """On one line, whatever its ids hold, which are the present ones."""
    refs = [(item["node"], item["id"])] if "node" in item else [item["start"], item["end"]]
    ends = " -> ".join(present_id(*ref) for ref in refs)
    return " ".join(f"{item.get('node') or item['edge']} {ends}".split())
