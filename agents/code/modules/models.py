"""A module that stands alone."""

import hashlib

from kg.models.paper import Model

__all__ = ["Module", "Piece"]


class Piece(Model):
    """Lines `line`..`end_line` (1-based, inclusive) of repository file `source`, taken into module file `file`."""

    file: str
    source: str
    line: int
    end_line: int


class Module(Model):
    """A unit and all it needs from its repository, as a small package.

    `files` maps paths to texts, below one folder that is put on the import path; names of repository files are kept.
    `import_name` ("edo.fitness") and `symbol` ("get_fitness") say where the unit is to be found; symbol "" is the whole
    file. `third_party` are the top-level import names that are neither of the module nor of the standard library, and
    dotted ones below them that another distribution provides.
    `data` are repository files it reads by literal name. `problems` say why it does not stand alone, empty if it does.
    `translated` names a mechanical translation ("python 2").
    """

    unit: str
    language: str
    import_name: str
    symbol: str
    files: dict[str, str]
    pieces: tuple[Piece, ...] = ()
    third_party: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    licence: str | None = None
    problems: tuple[str, ...] = ()
    translated: str | None = None

    @property
    def sha256(self) -> str:
        """Hash of all its files."""
        digest = hashlib.sha256()
        for path, text in sorted(self.files.items()):
            digest.update(path.encode() + b"\0" + text.encode() + b"\0")
        return digest.hexdigest()
