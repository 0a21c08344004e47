"""A published JSON graph → PaperRecord."""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kg.errors import InputError
from kg.models.code import Candidate, CodeUnit, Grounding
from kg.models.ids import numbered, slug, technique_id
from kg.models.paper import BibEntry, Citation, PaperDoc, SourceFile
from kg.models.record import CodeRefs, PaperMeta, PaperRecord, RunInfo, Scalar
from kg.models.technique import Kind, Technique, TechniqueTree
from kg.names import split_name
from kg.xkg_json.objects import Object, parse

__all__ = ["is_graph", "join_item", "read_graph", "split_item"]

MAX_BYTES = 64_000_000
MAX_DEPTH = 64
MAX_NAME = 160
TITLE_SLUG = 200
ITEM = re.compile(r"(?:(?:Finding|Resource): )?(?P<name>[^\n]{1,160}?): ")


def is_graph(path: Path) -> bool:
    """Whether a file claims to be such a graph: what JSON a repository has beside its graphs is left alone."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > MAX_BYTES:
        return False
    raw = path.read_bytes()
    return b'"paper_title"' in raw and b'"techniques"' in raw


def read_graph(path: Path) -> PaperRecord:
    """Read one file. Raises InputError, naming it, if it is not such a graph."""
    if path.is_symlink() or not path.is_file():
        raise InputError(f"{path.name} is not a regular file", where=str(path), remedy="give a .json file or a folder")
    if path.stat().st_size > MAX_BYTES:
        raise InputError(f"{path.name} is larger than {MAX_BYTES // 1_000_000} MB", remedy="leave the file out")
    raw = path.read_bytes()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path.name} is not UTF-8 at byte {error.start}", remedy="convert it or leave it out"
        ) from error
    return _Reader(path.name, raw, text).record()


def split_item(text: str) -> tuple[str, str]:
    """Name and definition of a finding or resource: "Name: text"; a text without a name is named by its beginning."""
    if match := ITEM.match(text):
        return match["name"], text[match.end() :]
    line = " ".join(text.split())
    return (line if len(line) <= MAX_NAME else line[: MAX_NAME - 2].rsplit(" ", 1)[0] + " …"), text


def join_item(name: str, definition: str) -> str:
    """The usual writing of a finding or resource."""
    return f"{name}: {definition}"


class _Reader:
    def __init__(self, name: str, raw: bytes, text: str) -> None:
        self.name, self.raw = name, raw
        self.lines = text.count("\n") + 1
        self.top = parse(text, name)
        self.units: list[CodeUnit] = []
        self.groundings: list[Grounding] = []
        self.extras: dict[str, dict[str, Scalar]] = {}
        self.ids: set[str] = set()

    def record(self) -> PaperRecord:
        """The whole file."""
        top = Object(self.top)
        title = top.text("paper_title")
        if not title.strip() or not isinstance(self.top.get("techniques"), list):
            raise self._malformed("it has no paper_title or no list of techniques")
        self.paper = f"local:{slug(title, limit=TITLE_SLUG)}"
        references = top.texts("paper_references")
        items = [
            *self._techniques(top, "techniques", "techniques", 0),
            *self._items(top, "findings", "finding"),
            *self._items(top, "resources", "resource"),
        ]
        about: dict[str, Scalar] = {
            "reference_titles": references,
            "code_files": top.text("code_file"),
            "code_overview": top.text("code_overview"),
        }
        meta = PaperMeta(id=self.paper, title=title, abstract=top.text("paper_abstract"))
        self.extras[self.paper] = {**about, **top.kept()}
        sha256 = hashlib.sha256(self.raw).hexdigest()
        doc = PaperDoc(
            main=self.name,
            title=title,
            files=(SourceFile(path=self.name, sha256=sha256, encoding="utf-8"),),
            source_sha256=sha256,
            citations=(Citation(id="c1", keys=("*",), command="nocite", **self._span()),) if references else (),
            bibliography=tuple(
                BibEntry(id=f"b{n}", key=f"{n:05}", title=reference, **self._span())
                for n, reference in enumerate(references, 1)
            ),
        )
        record = PaperRecord(
            paper=meta,
            doc=doc,
            techniques=TechniqueTree(items=tuple(items), method="import"),
            units=tuple(self.units),
            origin="imported",
            groundings=tuple(self.groundings),
            run=RunInfo(command="import xkg-json"),
        )
        refs = CodeRefs(record)
        code = {refs.unit(unit.id)[1]: self.extras.pop(unit.id) for unit in self.units}
        return record.model_copy(update={"extras": {**self.extras, **code}})

    def _span(self) -> dict[str, Any]:
        return {"file": self.name, "start": 0, "end": len(self.raw)}

    def _malformed(self, what: str) -> InputError:
        return InputError(f"{self.name} is not an xKG graph: {what}", remedy="correct it or leave it out")

    def _id(self, name: str) -> str:
        found = numbered(slug(name), self.ids)
        self.ids.add(found)
        return found

    def _techniques(self, parent: Object, key: str, place: str, depth: int) -> list[Technique]:
        if depth > MAX_DEPTH:
            raise self._malformed(f"techniques are nested deeper than {MAX_DEPTH}")
        values = parent.take(key, lambda v: isinstance(v, list), [])
        for number, value in enumerate(values):
            if not isinstance(value, dict):
                raise self._malformed(f"{place}[{number}] is no object")
        return [self._technique(value, f"{place}[{number}]", depth) for number, value in enumerate(values)]

    def _technique(self, value: Mapping[str, Any], place: str, depth: int) -> Technique:
        found = Object(value)
        printed = found.text("name")
        name, aliases = split_name(printed)
        key = self._id(printed)
        definition, weight = found.text("description"), found.number("weight")
        code = found.take("code", lambda v: v is None or isinstance(v, dict), None)
        if code is not None:
            self._code(key, name, code, f"{place}.code")
        children = self._techniques(found, "components", f"{place}.components", depth + 1)
        kind: Kind = "methodology" if depth == 0 and children else "technique"
        self.extras[technique_id(self.paper, key)] = {"xkg_json_text": printed if aliases else None, **found.kept()}
        return Technique(
            id=key, name=name, aliases=aliases, kind=kind, definition=definition, score=weight, children=tuple(children)
        )

    def _code(self, technique: str, name: str, value: Mapping[str, Any], place: str) -> None:
        found = Object(value)
        unit = CodeUnit(
            id=place,
            symbol="",
            name=name,
            kind="script",
            language="python",
            line=1,
            end_line=self.lines,
            docstring=found.text("documentation"),
            text=found.text("implementation"),
            **self._span(),
        )
        extra: dict[str, Scalar] = {
            "test": found.text("test"),
            "requirements": found.texts("package"),
            "claimed_pass_exec": found.take("pass_exec", lambda v: isinstance(v, bool), None),
        }
        self.units.append(unit)
        self.extras[unit.id] = {**extra, **found.kept()}
        self.groundings.append(
            Grounding(
                technique=technique,
                level="unit",
                confidence=1.0,
                method="import",
                candidates=(Candidate(unit=unit.id, rank=1, score=1.0, standing="asserted"),),
                reason=f"{self.name} gives it as this technique's code",
            )
        )

    def _items(self, top: Object, key: str, kind: Kind) -> list[Technique]:
        found = []
        for text in top.texts(key):
            name, definition = split_item(text)
            item = self._id(name)
            exact: dict[str, Scalar] = {"xkg_json_text": None if join_item(name, definition) == text else text}
            self.extras[technique_id(self.paper, item)] = exact
            found.append(Technique(id=item, name=name, kind=kind, definition=definition, score=0.0))
        return found
