"""Entries of .bib files, by bibtexparser; each is parsed alone, so that a broken one costs only itself."""

import logging
import re
from collections.abc import Iterable
from itertools import zip_longest

from bibtexparser.entrypoint import parse_string
from bibtexparser.model import DuplicateFieldKeyBlock, Entry

from ingest.latex.detex import readable
from ingest.latex.lexer import Lexer
from ingest.latex.source import SourceText
from ingest.latex.works import arxiv_id, doi_of, person_names, year_of
from kg.models.paper import BibEntry, ParseWarning

__all__ = ["BibFile"]

_HEAD = re.compile(r"^[ \t]*@[ \t]*(\w+)\s*[{(]\s*([^\s,{}()=\"]*)\s*(?=[,\r\n}]|$)", re.MULTILINE)
_STRING = re.compile(
    r"^[ \t]*@string\s*[{(]\s*([\w:.+-]+)\s*=\s*(?:\{([^{}]*)\}|\"([^\"]*)\")\s*[})]", re.MULTILINE | re.IGNORECASE
)
_NO_ENTRY = {"comment", "string", "preamble"}
logging.getLogger("bibtexparser").addHandler(logging.NullHandler())


class BibFile:
    """The entries of one file by key: where each stands; parsed when asked for."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.strings = {name.lower(): braced or quoted for name, braced, quoted in _STRING.findall(source.text)}
        closing = Lexer(source.text).closing
        heads = list(_HEAD.finditer(source.text))
        self.places: dict[str, tuple[int, int]] = {}
        for head, following in zip_longest(heads, heads[1:]):
            if head[1].lower() in _NO_ENTRY or not head[2]:
                continue
            start = source.text.index("@", head.start())
            limit = following.start() if following else len(source.text)
            brace = source.text.find("{", start, head.end())
            close = closing.get(brace, -1) + 1 if brace >= 0 else 0
            end = close if start < close <= limit else start + len(source.text[start:limit].rstrip())
            self.places.setdefault(head[2], (start, end))
        self._folded = {key.casefold(): key for key in reversed(self.places)}

    def find(self, key: str) -> str | None:
        """The key as the file writes it; BibTeX does not tell upper from lower case."""
        return key if key in self.places else self._folded.get(key.casefold())

    def entries(self, keys: Iterable[str]) -> tuple[list[BibEntry], list[ParseWarning]]:
        """The entries of these keys, named as asked, and warnings for those that bibtexparser refused."""
        found, warnings = [], []
        for key in keys:
            written = self.find(key)
            if written is None:
                continue
            start, end = self.places[written]
            raw = self.source.text[start:end]
            span = {"file": self.source.path, "start": self.source.byte(start), "end": self.source.byte(end)}
            fields = self._fields(raw)
            if fields is None:
                message = f"bibliography entry {written!r} can't be parsed"
                warnings.append(ParseWarning.model_validate({**span, "message": message}))
            found.append(BibEntry.model_validate({**_work(fields or {}, raw), **span, "id": "", "key": key}))
        return found, warnings

    def _fields(self, raw: str) -> dict[str, str] | None:
        library = parse_string(raw)
        entry: Entry | None = library.entries[0] if library.entries else None
        for block in library.failed_blocks:
            if (
                entry is None
                and isinstance(block, DuplicateFieldKeyBlock)
                and isinstance(block.ignore_error_block, Entry)
            ):
                entry = block.ignore_error_block
        if entry is None:
            return None
        return {
            field.key.lower(): self.strings.get(str(field.value).lower(), str(field.value)) for field in entry.fields
        }


def _work(fields: dict[str, str], raw: str) -> dict[str, object]:
    doi = fields.get("doi", "")
    return {
        "title": readable(_unwrapped(fields.get("title", ""))),
        "authors": person_names(fields.get("author") or fields.get("editor", "")),
        "year": year_of(fields.get("year") or fields.get("date", "")),
        "arxiv": arxiv_id(fields.get("eprint", ""), bare=True) or arxiv_id(raw),
        "doi": doi_of(doi) or doi_of(fields.get("url", "")) or (None if fields else doi_of(raw)),
    }


def _unwrapped(value: str) -> str:
    """bibtexparser takes one pair of enclosing marks; a field merged by duplicates keeps them."""
    return value[1:-1] if value[:1] + value[-1:] in ("{}", '""') else value
