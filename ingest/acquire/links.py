"""Links to code repositories in a paper's readable text, each with the sentence that holds it."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

__all__ = ["Link", "find_links"]

_LINK = re.compile(
    r"""(?<![A-Za-z0-9.-])(?:https?:\s*//)?(?:www\.)?
    (?P<host>github\.com|gitlab\.(?:com|[a-z0-9.-]+\.[a-z]{2,})|bitbucket\.org|codeberg\.org|anonymous\.4open\.science)
    /(?P<path>[A-Za-z0-9_.\-~/+%@]*)""",
    re.VERBOSE | re.IGNORECASE,
)
_SENTENCE = re.compile(r"""(?<![A-Z]\.)(?<=[.!?])\s+(?=[A-Z"'\[]|\((?!https?:|www\.|git))|\n\s*\n""")
_NO_REPOSITORY = frozenset(
    {"features", "about", "topics", "orgs", "sponsors", "marketplace", "settings", "search", "login", "gist", "explore"}
)
_BEFORE, _AFTER = 400, 200


class Link(NamedTuple):
    """A link to `owner`/`name` (`name` "" for a link to the owner alone) in piece number `piece`.

    `rest` is the path below the repository, `lead` what the sentence says before the link, `place` between 0 and 1 how
    far into the paper; `cites` tells that the sentence cites a work before it.
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


def find_links(pieces: Sequence[str]) -> Iterator[Link]:
    """The links of all pieces of readable text, in order; citations read "[cited]", "[3]" or "et al."."""
    total = sum(map(len, pieces)) or 1
    before = 0
    for number, text in enumerate(pieces):
        for address in _LINK.finditer(text):
            if link := _link(text, address, number, (before + address.start()) / total):
                yield link
        before += len(text)


def _link(text: str, address: re.Match[str], piece: int, place: float) -> Link | None:
    start, end = address.span()
    host = address["host"].lower()
    parts = [part for part in address["path"].rstrip(".,;:").split("/") if part]
    if host == "anonymous.4open.science" and parts[:1] == ["r"]:
        parts = ["anonymous", *parts[1:]]
    elif host == "anonymous.4open.science":
        parts = ["anonymous", *parts]
    if not parts or parts[0].lower() in _NO_REPOSITORY:
        return None
    name = re.sub(r"\.git$", "", parts[1]).rstrip(".") if len(parts) > 1 else ""
    begin, stop = _sentence(text, start, end)
    return Link(
        host=host,
        owner=parts[0],
        name=name,
        rest="/".join(parts[2:]),
        sentence=" ".join(text[begin:stop].split()),
        lead=" ".join(text[begin:start].split())[-160:],
        piece=piece,
        place=place,
        cites=re.search(r"\[cited\]|\[\d+\]|et al\.", text[begin:start]) is not None,
    )


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    floor = max(0, start - _BEFORE)
    cuts = [match.end() for match in _SENTENCE.finditer(text, floor, start)]
    begin = cuts[-1] if cuts else floor
    following = _SENTENCE.search(text, end, min(len(text), end + _AFTER))
    return begin, following.start() if following else min(len(text), end + _AFTER)
