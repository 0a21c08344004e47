"""Printed bibliographies: ``\\bibitem`` as BibTeX and natbib write it or authors type it, ``\\entry`` of biblatex."""

import re
from collections.abc import Callable

from ingest.latex.detex import readable
from ingest.latex.lexer import Lexer
from ingest.latex.works import arxiv_id, doi_of, person_names, year_of
from kg.models.paper import BibEntry, Span

__all__ = ["printed_entries"]

_ITEM = re.compile(r"\\(?:bibitem|harvarditem|entry)(?![a-zA-Z@])")
_STOP = re.compile(r"\\(?:end\s*\{thebibliography\}|endentry(?![a-zA-Z])|enddatalist|endsortlist|endrefsection)")
_FIELD = re.compile(r"\\(field|strng|verb)\s*\{(\w+)\}")
_VERB = re.compile(r"\s*\\verb\s+(\S+)")
_NAMES = re.compile(r"\\name\s*\{author\}|\\name\s*\{editor\}")
_FAMILY = re.compile(r"(?<![a-z])(family|given)\s*=\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")
_OLD_NAME = re.compile(r"\{\{[^{}]*\}\{((?:[^{}]|\{[^{}]*\})*)\}\{[^{}]*\}\{((?:[^{}]|\{[^{}]*\})*)\}")
_BIBINFO = re.compile(r"\\bibinfo\s*\{(\w+)\}\s*(?=\{)|\\(?:showarticletitle|bibfield)\s*(?=\{)")
_QUOTED = re.compile(
    r"(?:``|“)(.+?)(?:,?\s*''|,?”)|\\(?:emph|textit)\s*\{((?:[^{}]|\{[^{}]*\})+)\}|\{\\(?:em|it)\s+((?:[^{}]|\{[^{}]*\})+)\}",
    re.DOTALL,
)
_SPRINGER = re.compile(r"(.{3,400}?\b[A-Z]\.|.{3,200}?et al\.):\s+(.+?)[.?!](?:\s|$)")
_LABEL_YEAR = re.compile(r"\(((?:1[89]|20)\d\d)[a-z]?\)")
_MAX_ENTRY = 20_000

Place = Callable[[int, int], Span]


def printed_entries(text: str, scan: str, place: Place) -> list[BibEntry]:
    """The entries in `text` (comments blanked); `place` gives the span of a character range."""
    lexer = Lexer(scan, text)
    heads = list(_ITEM.finditer(scan))
    entries: dict[str, BibEntry] = {}
    for number, head in enumerate(heads):
        limit = heads[number + 1].start() if number + 1 < len(heads) else len(scan)
        stop = _STOP.search(scan, head.end(), limit)
        end = min(stop.start() if stop else limit, head.start() + _MAX_ENTRY)
        end = head.start() + len(scan[head.start() : end].rstrip())
        option = lexer.bracket(head.end())
        key = lexer.group(option.after if option else head.end())
        if not key or key.after > end:
            continue
        name = re.sub(r"\s+", " ", lexer.value(key)).strip()
        if not name or name in entries:
            continue
        body = text[key.after : end]
        work = _biblatex(body) if head[0] == "\\entry" else _typed(body, lexer.value(option) if option else "")
        span = place(head.start(), end)
        entries[name] = BibEntry.model_validate(
            {**work, "id": "", "key": name, "file": span.file, "start": span.start, "end": span.end}
        )
    return list(entries.values())


def _biblatex(body: str) -> dict[str, object]:
    lexer = Lexer(body)
    fields: dict[str, str] = {}
    for found in _FIELD.finditer(body):
        if found[1] == "verb":
            value = _VERB.match(body, found.end())
            fields.setdefault(found[2], value[1] if value else "")
        elif group := lexer.group(found.end()):
            fields.setdefault(found[2], lexer.value(group))
    authors: tuple[str, ...] = ()
    if listed := _NAMES.search(body):
        stop = re.compile(r"\\(?:name|list|strng|field|verb)\s*\{").search(body, listed.end())
        chunk = body[listed.end() : stop.start() if stop else len(body)]
        authors = _biblatex_names(chunk)
    return {
        "title": readable(fields.get("title", "")),
        "authors": authors,
        "year": year_of(fields.get("year") or fields.get("date", "")),
        "arxiv": arxiv_id(fields.get("eprint", ""), bare=True) or arxiv_id(body),
        "doi": doi_of(fields.get("doi", "")),
    }


def _biblatex_names(chunk: str) -> tuple[str, ...]:
    names, family = [], ""
    for kind, value in _FAMILY.findall(chunk):
        if kind == "family":
            if family:
                names.append(family)
            family = readable(value)
        elif family:
            names.append(f"{readable(value)} {family}")
            family = ""
    names += [family] if family else []
    return tuple(names) or tuple(
        f"{readable(given)} {last}".strip() for name, given in _OLD_NAME.findall(chunk) if (last := readable(name))
    )


def _typed(body: str, label: str) -> dict[str, object]:
    """An entry as a style printed it: marked fields where there are any, else its blocks, else quotes and emphasis."""
    fields = _marked(body)
    blocks = [block.strip() for block in re.split(r"\\newblock(?![a-zA-Z])", body)]
    if fields.get("title"):
        title, authors = fields["title"], fields.get("authors", "")
    elif len(blocks) > 1:
        title, authors = blocks[1], fields.get("authors", "") or blocks[0]
    else:
        title, authors = _unmarked(body)
    label_year = _LABEL_YEAR.search(label)
    return {
        "title": readable(title).rstrip(" .,").strip("“”"),
        "authors": _listed(authors),
        "year": int(label_year[1]) if label_year else year_of(fields.get("year", "")) or year_of(readable(body)),
        "arxiv": arxiv_id(body),
        "doi": doi_of(body),
    }


def _unmarked(body: str) -> tuple[str, str]:
    """Title and authors of an entry typed by hand: by quotes, by Springer's colon, else by what is emphasised.

    Many emphasise the journal: then the title is the long part before it.
    """
    if springer := _SPRINGER.match(readable(body)):
        return springer[2], springer[1]
    quoted = _QUOTED.search(body)
    if not quoted:
        return "", ""
    before = body[: quoted.start()]
    if quoted[1] is None:
        parts = re.split(r",\s|\.\s(?=[A-Z][a-z]+\s[a-z])", readable(before))
        long = next((number for number, part in enumerate(parts) if len(part.split()) > 4), None)
        if long is not None:
            return parts[long], ", ".join(parts[:long])
    return next(part for part in quoted.groups() if part), before


def _marked(body: str) -> dict[str, str]:
    """Fields that REVTeX and ACM styles mark by \\bibinfo and its like."""
    lexer, persons = Lexer(body), []
    fields: dict[str, str] = {}
    for found in _BIBINFO.finditer(body):
        group = lexer.group(found.end())
        if not group:
            continue
        kind = found[1] or ("title" if "title" in found[0] else "")
        value = lexer.value(group)
        if kind in ("author", "person"):
            persons.append(readable(value))
        elif kind:
            fields.setdefault(kind, value)
    return fields | ({"authors": " and ".join(persons)} if persons else {})


def _listed(text: str) -> tuple[str, ...]:
    """Printed author lists: "A. One, B. Two, and C. Three" or "One, A. and Two, B."."""
    plain = readable(text).rstrip(" .,")
    plain = re.sub(r"\(?(?:19|20)\d\d[a-z]?\)?\.?$", "", plain).rstrip(" .,")
    plain = re.sub(r",?\s+et\s+al\.?$|,?\s+others$", "", plain)
    plain += "." if re.search(r"\b[A-Z]$", plain) else ""
    if not plain or len(plain) > 3_000:
        return ()
    inverted = re.match(r"[^\s,]+(?:\s[^\s,]+)?,\s+(?:[A-Z]\.[\s~-]?)+(?:,|\s+and\b|$|;)", plain)
    if inverted:
        pairs = re.findall(r"([^,;&]+?),\s*((?:[A-Z]\.?[\s~-]*)+(?:,\s*Jr\.?)?)(?:[,;&]|\band\b|$)", plain)
        return tuple(f"{given.strip()} {re.sub(r'^and ', '', last.strip())}" for last, given in pairs)
    parts = re.split(r",\s*(?:and\s+|&\s*)?|\s+and\s+|\s*;\s*|\s+&\s+", plain)
    return (
        tuple(part.strip() for part in parts if part.strip()) if len(parts) > 1 or "," in plain else person_names(plain)
    )
