"""What a verdict on a unit of a repository rests on: the module cut for it, and hashes that a later ingest compares."""

import hashlib
import re
from functools import cached_property
from pathlib import Path

from agents.code.modules import Module, Slicer
from agents.code.units.roles import file_role
from ingest.acquire.folders import walk_files
from kg.models.code import CodeUnit
from kg.verdicts import StoredModule, as_basis

__all__ = ["BasisReader"]

LARGEST = 2_000_000
"""Bytes of a file that count one by one; of longer ones only the size does."""

REQUIREMENTS = re.compile(
    r"([\w.-]*requirements[\w.-]*\.(txt|in|cfg)|requirements/.*\.txt|setup\.(py|cfg)|pyproject\.toml|Pipfile(\.lock)?|"
    r"poetry\.lock|uv\.lock|tox\.ini|pytest\.ini|(conda[\w.-]*|environment[\w.-]*)\.ya?ml|\.python-version|runtime\.txt)",
    re.IGNORECASE,
)
"""Files in which a repository says what it needs, and how its tests are run."""


class BasisReader:
    """The basis of verdicts on units of the repository in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.slicer = Slicer(folder)

    def of(self, unit: CodeUnit) -> tuple[StoredModule | None, tuple[str, ...]]:
        """The module of a unit (None where there is nothing to cut) and the basis of a verdict on it."""
        module = self.slicer.module(unit)
        basis = as_basis({"needs": self._needs(module), "tests": self.tests, "requirements": self.requirements})
        stored = StoredModule(**module.model_dump(include=set(StoredModule.model_fields))) if module.files else None
        return stored, basis

    def _needs(self, module: Module) -> str:
        """The texts that were taken for the module, wherever in their files they stand, and the data it reads."""
        pieces = sorted((p.source, "\n".join(self._lines(p.source)[p.line - 1 : p.end_line])) for p in module.pieces)
        digest = hashlib.sha256()
        for source, text in pieces:
            digest.update(source.encode("utf-8", "replace") + b"\0" + text.encode("utf-8", "replace") + b"\0")
        for path in sorted(module.data):
            digest.update(path.encode("utf-8", "replace") + b"\0" + self._hash(path).encode() + b"\0")
        return digest.hexdigest()

    def _lines(self, path: str) -> list[str]:
        if path not in self._read:
            file = self.folder / path
            known = path in self._files
            self._read[path] = file.read_bytes().decode("utf-8", "replace").splitlines() if known else []
        return self._read[path]

    @cached_property
    def _read(self) -> dict[str, list[str]]:
        return {}

    @cached_property
    def _files(self) -> dict[str, int]:
        """Regular files of the repository by path, with their sizes; links are none."""
        return {path: entry.stat(follow_symlinks=False).st_size for path, entry in walk_files(self.folder)}

    def _hash(self, path: str) -> str:
        size = self._files.get(path)
        if size is None or size > LARGEST:
            return f"{size} bytes"
        return hashlib.sha256((self.folder / path).read_bytes()).hexdigest()

    def _hash_all(self, paths: list[str]) -> str:
        digest = hashlib.sha256()
        for path in sorted(paths):
            digest.update(path.encode("utf-8", "surrogateescape") + b"\0" + self._hash(path).encode() + b"\n")
        return digest.hexdigest()

    @cached_property
    def tests(self) -> str:
        """Hash of all files that are tests."""
        return self._hash_all([path for path in self._files if path.endswith(".py") and file_role(path, b"") == "test"])

    @cached_property
    def requirements(self) -> str:
        """Hash of all files that say what the repository needs."""
        return self._hash_all([path for path in self._files if REQUIREMENTS.fullmatch(path.rsplit("/", 1)[-1])])
