"""What goes with a judgement into the graph: the module that was run, and what the verdict rests on."""

import hashlib
import json

from kg.models.paper import Model

__all__ = ["Evidence", "StoredModule", "sha256_of"]


def sha256_of(text: str) -> str:
    """Hex digest of a text's UTF-8 bytes; what no UTF-8 can carry counts as "?", as the graph keeps it."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


class StoredModule(Model):
    """A self-contained module as a Code node keeps it: files by path, and where in them the unit is.

    `import_name` and `symbol` name the unit ("edo.fitness", "get_fitness"; symbol "" is the whole file). `third_party`
    are import names that no file of it provides, `data` repository files that it reads; `translated` names a mechanical
    translation ("python 2").
    """

    import_name: str
    symbol: str
    files: dict[str, str]
    third_party: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    translated: str | None = None

    @property
    def sha256(self) -> str:
        """Hash of all its files: the one of agents.code.modules.models.Module."""
        digest = hashlib.sha256()
        for path, text in sorted(self.files.items()):
            digest.update(path.encode() + b"\0" + text.encode() + b"\0")
        return digest.hexdigest()

    def dump(self) -> str:
        """As the property `module` of a Code node: JSON, equal modules equal texts."""
        return json.dumps(self.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)


class Evidence(Model):
    """What a judgement was made from, for the writer to compare with the graph.

    `text_sha256` is the hash of the implementation as it was judged; `module` the module that was run, if there is one.
    `basis` are hashes of all that the verdict rests on beside that text, "<part> <sha256>" (see kg.verdicts.basis):
    when a later ingest finds another one, the verdict is stale. `program` is the version of what judged, `date` when it
    judged (ISO 8601, UTC).
    """

    text_sha256: str
    module: StoredModule | None = None
    basis: tuple[str, ...] = ()
    program: str
    date: str
