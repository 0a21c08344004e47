"""C, C++, CUDA, Go and Java: a unit's file with what it includes, or its package with the packages it imports.

Files are kept whole and in their places, each headed by its origin. What the repository does not have of what is
included in quotes, or imported under its own module's name, is a problem. `compiling` has them compiled.
"""

import re
from collections import deque
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from agents.code.modules.emit import origin_comment
from agents.code.modules.models import Module, Piece
from agents.code.units.files import Limits, source_files
from agents.code.units.licences import Licences
from agents.code.units.source import decode
from kg.models.code import CodeUnit

__all__ = ["FOREIGN", "ForeignSlicer"]

FOREIGN = frozenset(("c", "c++", "cuda", "go", "java"))
_GRAMMARS = {"c", "cpp", "header", "cuda", "go", "java"}
MAX_FILES = 400
MAX_CHARACTERS = 8_000_000
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.M)
_GO_IMPORTS = re.compile(r"^import[ \t]*(?:\(([^)]*)\)|(?:[\w.]+[ \t]+)?\"([^\"\n]+)\")", re.M)
_GO_PATH = re.compile(r'"([^"\n]+)"')
_GO_MODULE = re.compile(r"^module[ \t]+(\S+)", re.M)
_JAVA_IMPORT = re.compile(r"^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]+?)(?:\.\*)?[ \t]*;", re.M)
_JAVA_PACKAGE = re.compile(r"^[ \t]*package[ \t]+([\w.]+)[ \t]*;", re.M)
_JAVA_OWN = ("java.", "javax.", "jdk.", "sun.", "org.w3c.dom", "org.xml.sax")
_STANDARD_C = re.compile(
    r"^(?:[a-z_0-9]+|c?(?:assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal|stdarg"
    r"|stdatomic|stdbool|stddef|stdint|stdio|stdlib|string|tgmath|threads|time|uchar|wchar|wctype|unistd|fcntl|pthread"
    r"|dirent|getopt|dlfcn|poll|sched|semaphore|strings|termios|netdb|malloc|regex|libgen|zconf)\.h"
    r"|(?:sys|netinet|arpa|bits|linux|net)/.*|.*intrin\.h)$"
)


class ForeignSlicer:
    """Slices units of `FOREIGN` languages. No link is followed; nothing is run."""

    def __init__(self, folder: Path, commit: str = "", limits: Limits | None = None) -> None:
        self.commit = commit
        found = source_files(folder, limits or Limits(), [])
        self.locations = {f.path: f.location for f in found if f.grammar in _GRAMMARS}
        self.folder = folder
        self.licences = Licences(folder)
        self.by_name: dict[str, list[str]] = {}
        for path in sorted(self.locations):
            self.by_name.setdefault(PurePosixPath(path).name, []).append(path)
        self.in_folder: dict[str, list[str]] = {}
        for path in sorted(self.locations):
            self.in_folder.setdefault(str(PurePosixPath(path).parent), []).append(path)
        self._texts: dict[str, str] = {}

    def module(self, unit: CodeUnit) -> Module:
        """The unit with its includes or packages."""
        foreign: set[str] = set()
        problems: set[str] = set()
        files: dict[str, str] = {}
        pending = deque(self._package(unit.file) if unit.language in ("go", "java") else [unit.file])
        while pending:
            path = pending.popleft()
            if path in files or path not in self.locations:
                continue
            if len(files) >= MAX_FILES or sum(map(len, files.values())) > MAX_CHARACTERS:
                problems.add(
                    f"needs more than {MAX_FILES} files or {MAX_CHARACTERS:,} characters; the rest is left out"
                )
                break
            files[path] = self._text(path)
            pending += self._needs(path, unit.language, foreign, problems)
        if unit.file not in files:
            problems.add(f"{unit.file}: cannot be read")
        pieces = tuple(Piece(file=p, source=p, line=1, end_line=t.count("\n") + 1) for p, t in sorted(files.items()))
        headed = {p: origin_comment(p, 1, t.count("\n") + 1, self.commit, "//") + "\n" + t for p, t in files.items()}
        return Module(
            unit=unit.id,
            language=unit.language,
            import_name=unit.file,
            symbol=unit.symbol,
            files=dict(sorted((headed | self._go_mod(unit)).items())),
            pieces=pieces,
            third_party=tuple(sorted(foreign)),
            licence=self._licence(unit, files),
            problems=tuple(sorted(problems)),
        )

    def _text(self, path: str) -> str:
        if path not in self._texts:
            try:
                text = decode(self.locations[path].read_bytes())[0]
            except OSError:
                text = ""
            self._texts[path] = text.replace("\r\n", "\n").replace("\0", "")
        return self._texts[path]

    def _needs(self, path: str, language: str, foreign: set[str], problems: set[str]) -> list[str]:
        if language == "go":
            return self._go_needs(path, foreign, problems)
        if language == "java":
            return self._java_needs(path, foreign)
        found = []
        for quoted, angled in _INCLUDE.findall(self._text(path)):
            target = None if _STANDARD_C.match(angled) else self._included(path, quoted or angled)
            if target:
                found.append(target)
            elif quoted and not _STANDARD_C.match(quoted):
                problems.add(f"not in the repository: {quoted} (included in {path})")
            elif not _STANDARD_C.match(quoted or angled):
                foreign.add((quoted or angled).split("/")[0])
        return found

    def _included(self, path: str, name: str) -> str | None:
        """A header beside the file, else the nearest whose path ends as the include is written."""
        parts: list[str] = []
        for part in (*PurePosixPath(path).parent.parts, *PurePosixPath(name).parts):
            if part == ".." and parts:
                parts.pop()
            elif part not in (".", ".."):
                parts.append(part)
        beside = "/".join(parts)
        if beside in self.locations:
            return beside
        wanted = tuple(p for p in PurePosixPath(name).parts if p not in (".", ".."))
        if not wanted:
            return None
        ending = [p for p in self.by_name.get(wanted[-1], ()) if PurePosixPath(p).parts[-len(wanted) :] == wanted]
        return min(ending, key=lambda p: (-len(_shared(p, path)), len(p), p), default=None)

    def _package(self, path: str) -> list[str]:
        """The files of the folder that share the package, tests left out."""
        suffix = PurePosixPath(path).suffix
        inside = self.in_folder.get(str(PurePosixPath(path).parent), [])
        return [p for p in inside if p.endswith(suffix) and (p == path or not re.search(r"_test\.go$|Test\.java$", p))]

    def _go_root(self, path: str) -> tuple[str, str] | None:
        """Folder and module path of the nearest go.mod above a file."""
        for folder in PurePosixPath(path).parents:
            place = self.folder / folder / "go.mod"
            if place.is_file() and not place.is_symlink():
                named = _GO_MODULE.search(place.read_text("utf-8", errors="replace")[:100_000])
                if named:
                    return str(folder), named.group(1)
        return None

    def _go_mod(self, unit: CodeUnit) -> dict[str, str]:
        root = self._go_root(unit.file) if unit.language == "go" else None
        if root is None:
            return {}
        files = {}
        for name in ("go.mod", "go.sum"):
            place = self.folder / root[0] / name
            if place.is_file() and not place.is_symlink():
                files[str(PurePosixPath(root[0], name))] = place.read_text("utf-8", errors="replace")[:500_000]
        return files

    def _go_needs(self, path: str, foreign: set[str], problems: set[str]) -> list[str]:
        root = self._go_root(path)
        found: list[str] = []
        for block, single in _GO_IMPORTS.findall(self._text(path)):
            for name in [single] if single else _GO_PATH.findall(block):
                inside = (
                    name.removeprefix(root[1]).lstrip("/") if root and (name + "/").startswith(root[1] + "/") else None
                )
                if inside is not None and root:
                    folder = str(PurePosixPath(root[0], inside))
                    package = [
                        p for p in self.in_folder.get(folder, []) if p.endswith(".go") and not p.endswith("_test.go")
                    ]
                    found += package
                    if not package:
                        problems.add(f"not in the repository: {name} (imported in {path})")
                elif "." in name.split("/")[0]:
                    foreign.add("/".join(name.split("/")[:3]))
        return found

    def _java_needs(self, path: str, foreign: set[str]) -> list[str]:
        text = self._text(path)
        found = self._package(path)
        package = _JAVA_PACKAGE.search(text)
        depth = len(package.group(1).split(".")) if package else 0
        root = "/".join(PurePosixPath(path).parent.parts[: -depth or None])
        for name in _JAVA_IMPORT.findall(text):
            parts = name.split(".")
            for end in range(len(parts), 0, -1):
                target = "/".join([root, *parts[:end]]).lstrip("/") + ".java"
                ending = [
                    p
                    for p in self.by_name.get(f"{parts[end - 1]}.java", ())
                    if p.endswith("/".join(parts[:end]) + ".java")
                ]
                if target in self.locations or ending:
                    found.append(target if target in self.locations else ending[0])
                    break
                if folder := self.in_folder.get("/".join([root, *parts[:end]])):
                    found += [p for p in folder if p.endswith(".java")]
                    break
            else:
                if not name.startswith(_JAVA_OWN):
                    foreign.add(".".join(parts[:3]))
        return found

    def _licence(self, unit: CodeUnit, files: Iterable[str]) -> str | None:
        licences = {unit.licence, *(self.licences.nearest(p, self._text(p)[:3_000].encode()) for p in files)}
        return " AND ".join(sorted(x for x in licences if x)) if None not in licences else None


def _shared(one: str, other: str) -> list[str]:
    shared = []
    for left, right in zip(PurePosixPath(one).parts, PurePosixPath(other).parts, strict=False):
        if left != right:
            break
        shared.append(left)
    return shared
