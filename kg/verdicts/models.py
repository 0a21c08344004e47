"""What goes with a judgement into the graph: the module that was run, and what the verdict rests on."""

import hashlib

from kg.models.code import StoredModule
from kg.models.paper import Model

__all__ = ["Evidence", "StoredModule", "sha256_of"]


def sha256_of(text: str) -> str:
    """Hex digest of a text's UTF-8 bytes; what no UTF-8 can carry counts as "?", as the graph keeps it."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


class Evidence(Model):
    """What a judgement was made from, for the writer to compare with the graph.

    `text_sha256` is the hash of the implementation as it was judged; `module` the module that was run, if there is one.
    `basis` are hashes of all that the verdict rests on beside that text (see kg.verdicts.basis): when a later ingest
    finds others, the verdict is stale. `program` is the version of what judged, `date` when it
    judged (ISO 8601, UTC).
    """

    text_sha256: str
    module: StoredModule | None = None
    basis: tuple[str, ...] = ()
    program: str
    date: str
