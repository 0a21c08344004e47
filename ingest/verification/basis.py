"""What a verdict on a unit of a repository rests on: hashes of what its run read, which a later ingest takes again."""

import re
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path, PurePosixPath
from posixpath import normpath

from agents.code.units.files import Limits, walk_repository
from agents.execution.environments import ci_variables, read_declared
from agents.execution.harness.inputs import Inputs
from ingest.acquire.folders import is_executable
from ingest.verification.asking import ASKS_FOR_MODES, ASKS_FOR_SIZES, asks_for_names
from kg.verdicts import as_basis
from kg.verdicts.basis import NOTHING, Part, digest_of, folder_of, place

__all__ = ["BasisReader"]

MOST = 1000
"""Places that a node keeps; a verdict that rests on more rests on the whole repository."""

LINKS = 100
"""Links that a node keeps one by one, so that a person is told which has changed; of more there is one hash."""

NAMES = 100
"""Names in the folders where a run looked that a node keeps one by one, to the same end."""

REQUIREMENTS = re.compile(
    r"([\w.-]*requirements[\w.-]*\.(txt|in|cfg)|requirements/.*\.txt|setup\.(py|cfg)|pyproject\.toml|Pipfile(\.lock)?|"
    r"(poetry|uv|pdm)\.lock|tox\.ini|\.?pytest\.(ini|toml)|(conda[\w.-]*|environment[\w.-]*)\.ya?ml|\.python-version|runtime\.txt)",
    re.IGNORECASE,
)
"""Files in which a repository says what it needs, and how its tests are run."""

HOLDS_TESTS = re.compile(r"\.py$|(^|/)readme\.\w+$", re.IGNORECASE)

LOOKED_FOR = {".py", ".pyc", ".so", ".pyd", ".ini", ".cfg", ".toml"}
"""Suffixes of what an import or pytest looks for."""


class BasisReader:
    """The basis of verdicts on units of the repository in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._digests: dict[str, str] = {}

    def of(self, inputs: Inputs | None, *, tested: bool = True) -> tuple[str, ...]:
        """The basis of a verdict whose runs read just `inputs`; of any other without them.

        `tested` says that tests of the repository gave it: those of others may be outweighed by any.
        """
        places = self._places(inputs)
        now = self.present(places if tested else [*places, place(Part.CODE)])
        names = self._listed(now)
        return as_basis({name: now[name] for name in now.keys() - (names if len(names) > NAMES else [])})

    def present(self, places: Iterable[str]) -> dict[str, str]:
        """What is there now: a hash for each of `places`, NOTHING for what is not there; with LINKS each LINK, with
        LISTED folders each NAME in them."""
        wanted = dict.fromkeys(places)
        if place(Part.LINKS) in wanted and len(self._links) <= LINKS:
            wanted |= dict.fromkeys(place(Part.LINK, path) for path in self._links)
        wanted |= dict.fromkeys(self._listed(wanted))
        return {name: self._digest(name) for name in wanted}

    def _listed(self, places: Iterable[str]) -> list[str]:
        """A NAME for each file and folder in those that are LISTED among `places`."""
        folders = [path for part, _, path in (name.partition(" ") for name in places) if part == Part.LISTED]
        return [place(Part.NAME, f"{folder}/{name}".lstrip("/")) for folder in folders for name in self._names(folder)]

    def _places(self, inputs: Inputs | None) -> list[str]:
        everything = [place(Part.EVERYTHING)]
        if inputs is None or not inputs.complete:
            return everything
        folders = {str(parent) for path in {*inputs.read, *inputs.listed} for parent in PurePosixPath(path).parents}
        listed = {"" if folder == "." else folder for folder in {".", *folders, *inputs.listed}}
        found = [place(Part.READ, path) for path in inputs.read]
        found += [place(Part.LISTED, folder) for folder in listed]
        if len(found) > MOST:
            return everything
        code = [self._content(path) for path in inputs.read if path.endswith(".py")]
        if any(map(ASKS_FOR_SIZES.search, code)):
            return everything
        found += [place(Part.PATHS)] if any(map(asks_for_names, code)) else []
        found += [place(Part.MODES)] if any(map(ASKS_FOR_MODES.search, code)) else []
        return [*found, place(Part.LINKS), place(Part.REQUIREMENTS)]

    def _digest(self, name: str) -> str:
        if name not in self._digests:
            kind, _, path = name.partition(" ")
            self._digests[name] = self._compute(kind, path)
        return self._digests[name]

    def _compute(self, kind: str, path: str) -> str:
        if kind == Part.READ:
            digest = digest_of(self._content(path)) if path in self._files else NOTHING
            return _hash(f"{digest} executable") if self._is_executable(path) else digest
        text: str | None = None
        match kind:
            case Part.LISTED:
                text = "\0".join(self._names(path))
            case Part.NAME if path.removeprefix(f"{(at := folder_of(path))}/") in self._folders.get(at, ()):
                text = path
            case Part.LINK if path in self._links:
                text = self._link(path)
            case Part.LINKS:
                text = self._all_links
            case Part.PATHS:
                text = "\0".join(sorted(self._files))
            case Part.MODES:
                text = "\0".join(sorted(filter(self._is_executable, self._files)))
            case Part.CODE:
                text = self._all(path for path in self._files if HOLDS_TESTS.search(path))
            case Part.REQUIREMENTS:
                files = self._all(path for path in self._files if REQUIREMENTS.fullmatch(path.rsplit("/", 1)[-1]))
                text = f"{_hash(files)}{ci_variables(self.folder)}{read_declared(self.folder).testing}"
            case Part.EVERYTHING:
                text = self._all(self._files) + self._all_links
        return NOTHING if text is None else _hash(text)

    def _all(self, paths: Iterable[str]) -> str:
        return "".join(f"{self._digest(place(Part.READ, path))} {path}\0" for path in sorted(paths))

    @property
    def _all_links(self) -> str:
        return "".join(f"{path} -> {self._link(path)}\0" for path in sorted(self._links))

    def _link(self, path: str) -> str:
        """Where a link leads to, and whether anything is there."""
        at = normpath(f"{path}/../{self._links[path]}")
        return self._links[path] if at in self._files or at in self._folders else f"{self._links[path]} (nothing)"

    def _content(self, path: str) -> bytes:
        return self._files[path].read_bytes() if path in self._files else b""

    def _is_executable(self, path: str) -> bool:
        return path in self._files and is_executable(self._files[path].stat())

    @cached_property
    def _walked(self) -> tuple[dict[str, Path], dict[str, str]]:
        links: dict[str, str] = {}
        walked = walk_repository(self.folder, Limits(), [], links)
        found = {path: file for file, path, _ in walked if "\ufffd" not in path}
        found.pop(".git", None)
        return found, links

    @property
    def _files(self) -> dict[str, Path]:
        """All files that a sandbox may get, and where they lie."""
        return self._walked[0]

    @property
    def _links(self) -> dict[str, str]:
        """Links among them, and where they lead to."""
        return self._walked[1]

    @cached_property
    def _folders(self) -> dict[str, set[str]]:
        """The names in each folder, those of folders with a slash at their end.

        At the top, where every run looks, names count only if an import or pytest may look for them, or for something
        in that folder: nobody's test notices a new folder of images there, unless it asks for names. Links are apart.
        """
        found: dict[str, set[str]] = {"": set()}
        for path in self._files:
            parts = path.split("/")
            for depth, name in enumerate(parts):
                folder, inner = "/".join(parts[:depth]), depth + 1 < len(parts)
                if folder or PurePosixPath(path).suffix in LOOKED_FOR:
                    found.setdefault(folder, set()).add(f"{name}/" if inner else name)
        return found

    def _names(self, folder: str) -> list[str]:
        return sorted(self._folders.get(folder, ()))


def _hash(text: str) -> str:
    return digest_of(text.encode("utf-8", "surrogateescape"))
