"""Links to code repositories in a paper's text, each with the sentence that holds it."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

__all__ = ["Link", "find_links"]

_LINK = re.compile(
    r"""(?<![A-Za-z0-9.-])(?:https?:\s*//)?(?:www\.)?
    (?P<host>github\.com|gitlab\.(?:com|[a-z0-9.-]+\.[a-z]{2,})|bitbucket\.org|codeberg\.org|anonymous\.4open\.science)
    /(?P<path>(?:[A-Za-z0-9_.\-~/+%@]|\\[_%])*)""",
    re.VERBOSE | re.IGNORECASE,
)
_LATEX = re.compile(r"\\(begin|section|documentclass|cite[a-z]*|url|footnote|href|newcommand|title)\b")
_COMMENT = re.compile(r"(?<!\\)%.*")
_MACRO = re.compile(r"\\(?:re)?newcommand\*?\s*\{?\s*\\([A-Za-z]+)\s*\}?\s*\{|\\def\s*\\([A-Za-z]+)\s*\{")
_SENTENCE = re.compile(
    r"(?<![A-Z]\.)(?<=[.!?])[\s}]+(?=[A-Z\\\"'(\[])|\n\s*\n|\\(?:sub)*section\b|\\item\b|\\paragraph\b"
)
_BIBLIOGRAPHY = re.compile(r"\\begin\{thebibliography\}|\\bibitem\b|^@\w+\s*\{", re.MULTILINE)
_NO_REPOSITORY = frozenset(
    {"features", "about", "topics", "orgs", "sponsors", "marketplace", "settings", "search", "login", "gist", "explore"}
)
_BEFORE, _AFTER, _MACROS = 400, 200, 50


class Link(NamedTuple):
    """A link to `owner`/`name` (`name` "" for a link to the owner alone) at character `at` of piece `piece`.

    `rest` is the path below the repository, `sentence` readable text, `place` between 0 and 1 how far into the paper;
    `cites` tells that the sentence cites a work, `bibliography` that the link stands in a reference list; `macro` names
    the macro that is defined as the link and never used.
    """

    host: str
    owner: str
    name: str
    rest: str
    sentence: str
    lead: str
    piece: int
    place: float
    cites: bool
    bibliography: bool
    macro: str = ""


def find_links(pieces: Sequence[str]) -> Iterator[Link]:
    """The links of all pieces of text or LaTeX, in order; not of comments, and of macros where they are used."""
    texts = [_COMMENT.sub("", piece) if _LATEX.search(piece) else piece for piece in pieces]
    total = sum(map(len, texts)) or 1
    before = 0
    for number, text in enumerate(texts):
        macros = _macros(text)
        for span, address, macro in _occurrences(text, macros):
            if link := _link(text, span, address, number, (before + span[0]) / total):
                told = f"The paper defines \\{macro} as {address[0]}" if macro else link.sentence
                yield link._replace(macro=macro, sentence=told)
        before += len(text)


def _macros(text: str) -> dict[str, tuple[int, int, str]]:
    """Macros whose whole body is a link: name → where its definition stands, and the body."""
    found: dict[str, tuple[int, int, str]] = {}
    for match in _MACRO.finditer(text):
        end = _closing(text, match.end())
        body = text[match.end() : end]
        if len(body) < 300 and len(found) < _MACROS and _LINK.search(body):
            found[match[1] or match[2]] = (match.start(), end, body)
    return found


def _closing(text: str, start: int) -> int:
    depth = 1
    for place in range(start, min(len(text), start + 600)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return place
    return start


def _occurrences(
    text: str, macros: dict[str, tuple[int, int, str]]
) -> list[tuple[tuple[int, int], re.Match[str], str]]:
    """Where links stand: as written, and where macros for them are used (where they are defined, if never used)."""
    definitions = [(start, end) for start, end, _ in macros.values()]

    def defining(place: int) -> bool:
        return any(start <= place < end for start, end in definitions)

    found = [(match.span(), match, "") for match in _LINK.finditer(text) if not defining(match.start())]
    for name, (start, end, body) in macros.items():
        if address := _LINK.search(body):
            uses = [use.span() for use in re.finditer(rf"\\{name}(?![A-Za-z])", text) if not defining(use.start())]
            found += [(span, address, "") for span in uses] or [((start, end), address, name)]
    return sorted(found, key=lambda item: item[0])


def _link(text: str, span: tuple[int, int], address: re.Match[str], piece: int, place: float) -> Link | None:
    start, end = span
    host = address["host"].lower()
    parts = [part for part in address["path"].replace("\\", "").rstrip(".,;:").split("/") if part]
    if host == "anonymous.4open.science" and parts[:1] == ["r"]:
        parts = ["anonymous", *parts[1:]]
    elif host == "anonymous.4open.science":
        parts = ["anonymous", *parts]
    if not parts or parts[0].lower() in _NO_REPOSITORY:
        return None
    name = re.sub(r"\.git$", "", parts[1]).rstrip(".") if len(parts) > 1 else ""
    begin, stop = _sentence(text, start, end)
    raw = text[begin:stop]
    return Link(
        host=host,
        owner=parts[0],
        name=name,
        rest="/".join(parts[2:]),
        sentence=_readable(raw, address),
        lead=_readable(text[begin:start], None)[-160:],
        piece=piece,
        place=place,
        cites=re.search(r"\\cite|\[\d+\]|et al\.", text[begin:start]) is not None,
        bibliography=_in_bibliography(text, start),
    )


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    floor = max(0, start - _BEFORE)
    cuts = [match.end() for match in _SENTENCE.finditer(text, floor, start)]
    begin = cuts[-1] if cuts else floor
    following = _SENTENCE.search(text, end, min(len(text), end + _AFTER))
    return begin, following.start() if following else min(len(text), end + _AFTER)


def _in_bibliography(text: str, start: int) -> bool:
    match = _BIBLIOGRAPHY.search(text, max(0, start - 3000), start)
    return match is not None and "\\section" not in text[match.end() : start]


def _readable(raw: str, address: re.Match[str] | None) -> str:
    text = re.sub(r"\\cite[a-z]*\*?(\[[^\]]*\])*\{[^}]*\}", "[cited]", raw)
    text = re.sub(r"\\href\s*\{([^}]*)\}\s*\{([^}]*)\}", r"\2 (\1)", text)
    text = re.sub(r"\\footnote(text|mark)?\b|~|\\\\|\\ ", " ", text)
    text = re.sub(r"\\([_%&#$])", r"\1", text)
    text = re.sub(r"\\[A-Za-z]+\*?|[{}]", lambda match: " " if match[0].startswith("\\") else "", text)
    text = " ".join(text.split())
    return text if address is None or address["host"] in text else f"{text} ({address[0]})"
