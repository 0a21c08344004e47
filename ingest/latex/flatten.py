"""Follow ``\\input`` and its relatives into one text; see `Flat`.

Only files inside the paper's folder are read. Inputs that are missing, outside, absolute, piped, cyclic or computed by
macros become warnings. Works with an explicit stack: depth and number of inclusions are limited, so that hostile
nesting ends.
"""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from ingest.latex.flat import Flat, Segment
from ingest.latex.folder import Folder
from kg.models.paper import ParseWarning

__all__ = ["flatten"]

MAX_INCLUSIONS = 1_000
MAX_WARNINGS = 500
MAX_DEPTH = 50
MAX_CHARS = 60_000_000

_INPUT = re.compile(
    r"\\(?P<command>input|@input|@@input|include|subfile|subfileinclude|InputIfFileExists|includestandalone"
    r"|(?P<pair>(?:sub)?(?:import|includefrom|inputfrom))\*?)(?![a-zA-Z@])"
    r"\s*(?:\[[^\[\]{}]*\]\s*)?(?:\{(?P<first>[^{}]*)\}(?(pair)\s*\{(?P<second>[^{}]*)\})|(?P<bare>[^\s{}\\%\[\]]+))"
)
_WORD = re.compile(r"\\(?:(?:re|provide)?newcommand|def)\*?\s*\{?\s*\\([a-zA-Z]+)\s*\}?\s*\{([\w./ -]*)\}")
_USE = re.compile(r"\\([a-zA-Z]+)(?:\{\}|\s+)?")
_SUFFIXES = (".tex", "", ".ltx", ".latex", ".TEX")


class _RefusedError(Exception):
    """Why an input is not followed."""


@dataclass
class _Frame:
    number: int
    path: str
    at: int
    folder: str


class _Flattener:
    def __init__(self, folder: Folder, main: str) -> None:
        self.folder = folder
        self.base = PurePosixPath(main).parent.as_posix()
        self.segments: list[Segment] = []
        self.texts: list[str] = []
        self.scans: list[str] = []
        self.warnings: list[ParseWarning] = []
        self.noted: set[str] = set()
        self.warned: set[tuple[str, int]] = set()
        self.words: dict[str, str] = {}
        self.read = 0
        self.size = 0
        self.stack = [_Frame(0, main, 0, self.base)]
        self.inclusions = 1
        self.note(main)

    def run(self) -> Flat:
        while self.stack:
            self.step(self.stack[-1])
        return Flat(self.segments, self.texts, self.scans)

    def warn(self, path: str, start: int, end: int, message: str) -> None:
        """Report once for each place, however often its file is read."""
        if (path, start) not in self.warned and len(self.warnings) < MAX_WARNINGS:
            self.warned.add((path, start))
            source = self.folder.read(path)
            self.warnings.append(
                ParseWarning(file=path, start=source.byte(start), end=source.byte(end), message=message)
            )

    def note(self, path: str) -> None:
        """Report once what the masking of a file had to say."""
        if path not in self.noted:
            self.noted.add(path)
            for start, end, message in self.folder.masked(path).notes:
                self.warn(path, start, end, message)

    def step(self, frame: _Frame) -> None:
        """Emit text of the top file up to its next input, or to its end."""
        found = _INPUT.search(self.folder.masked(frame.path).scan, frame.at)
        if found is None:
            self.emit(frame, len(self.folder.read(frame.path).text))
            self.finish()
            return
        self.emit(frame, found.start())
        inner = self.follow(frame, found)
        if inner is None:
            self.emit(frame, found.end())
            return
        frame.at = found.end()
        self.stack.append(inner)

    def emit(self, frame: _Frame, end: int) -> None:
        masked = self.folder.masked(frame.path)
        if end > frame.at:
            self.segments.append(Segment(self.folder.read(frame.path), frame.at, end - frame.at, frame.number))
            self.texts.append(masked.text[frame.at : end])
            self.scans.append(masked.scan[frame.at : end])
            self.size += end - frame.at
        frame.at = end

    def finish(self) -> None:
        """Leave the top file; TeX ends its last line if it did not."""
        frame = self.stack.pop()
        if self.stack and not (self.texts and self.texts[-1].endswith(("\n", "\r"))):
            source = self.folder.read(frame.path)
            self.segments.append(Segment(source, len(source.text), 0, frame.number))
            self.texts.append("\n")
            self.scans.append("\n")

    def follow(self, frame: _Frame, found: re.Match[str]) -> _Frame | None:
        """The frame of the file that an input command names, or None and a warning."""
        try:
            path = self.target(frame, found)
        except _RefusedError as why:
            shown = re.sub(r"\s+", " ", found[0])[:120]
            self.warn(frame.path, found.start(), found.end(), f"{shown} {why}; not followed")
            return None
        self.note(path)
        number, self.inclusions = self.inclusions, self.inclusions + 1
        follows = found["pair"] or found["command"].startswith("subfile")
        return _Frame(number, path, 0, PurePosixPath(path).parent.as_posix() if follows else frame.folder)

    def expanded(self, name: str) -> str:
        """A file name in which macros that stand for plain text are replaced, as in ``\\input{\\chapters/intro}``."""
        if "\\" not in name:
            return name
        for scan in self.scans[self.read :]:
            self.words.update(_WORD.findall(scan))
        self.read = len(self.scans)
        return _USE.sub(lambda found: self.words.get(found[1], found[0]), name).strip()

    def target(self, frame: _Frame, found: re.Match[str]) -> str:
        """The path that an input command names; raises _RefusedError with the reason where it can't be followed."""
        name = (found["bare"] or found["second"] or found["first"] or "").strip().strip('"').strip()
        name = self.expanded(name)
        directory = self.expanded(found["first"].strip()) if found["pair"] else ""
        if "\\" in name + directory or "#" in name + directory:
            raise _RefusedError("is computed by a macro")
        if not name:
            raise _RefusedError("names no file")
        if name.startswith("|"):
            raise _RefusedError("asks to run a program")
        if self.inclusions >= MAX_INCLUSIONS or len(self.stack) >= MAX_DEPTH or self.size >= MAX_CHARS:
            raise _RefusedError("goes beyond the limits on inputs")
        beside = PurePosixPath(frame.path).parent.as_posix()
        folders = tuple(dict.fromkeys((frame.folder, self.base, beside)))
        if directory:
            folders = tuple(str(PurePosixPath(folder) / directory) for folder in folders)
        try:
            path = self.folder.resolve(name, folders, _SUFFIXES)
        except PermissionError:
            raise _RefusedError("points outside the source folder") from None
        if path is None:
            raise _RefusedError("names a file that is not in the source folder")
        if any(outer.path == path for outer in self.stack):
            raise _RefusedError("reads a file that is still being read (a cycle)")
        try:
            self.folder.read(path)
        except OSError as error:
            raise _RefusedError(f"can't be read: {error.strerror or error}") from error
        return path


def flatten(folder: Folder, main: str) -> tuple[Flat, list[ParseWarning]]:
    """Read `main` (relative to the folder) with its inputs. Raises OSError when `main` itself can't be read."""
    run = _Flattener(folder, main)
    flat = run.run()
    if folder.verbatims.learn(flat.text):
        folder.remask()
        run = _Flattener(folder, main)
        flat = run.run()
    return flat, run.warnings
