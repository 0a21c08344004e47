"""What a replication may not see: papers, repositories and addresses, however they are written.

A file names one a line, as PaperBench's ``blacklist.txt`` does (addresses, or ``none``); also arXiv ids, DOIs,
``owner/name`` and ids of local papers and repositories of the graph. A repository is known by its owner and name
wherever they stand one after the other (on another host, behind a proxy's prefix, in an archive's address, in a path),
a paper by its arXiv id or DOI, anything else by host and path. All are looked for in the plain form of a text, in which
disguises are gone. docs/blacklist.md tells what this can't recognise.
"""

import contextlib
import html
import json
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from kg.config import Settings
from kg.errors import InputError

__all__ = ["NOTHING", "WITHHELD", "Blacklist", "Entry", "blacklist_of", "open_blacklist", "plain", "repositories_named"]

WITHHELD = "[withheld]"
"""What stands for a forbidden name in a text that is given out."""

_ARXIV = re.compile(
    r"(?:\S*(?:arxiv\S*?[:/.]|ar5iv\S*?[:/.]|/papers/)\s*)?"
    r"(?:(?P<new>\d{4}\.\d{4,5})|(?P<archive>[a-z]+(?:-[a-z]+)?)(?P<subject>\.[a-z]{2})?/(?P<number>\d{7}))"
    r"(?:v\d+)?(?:\.pdf)?/?(?:[?#]\S*)?"
)
_DOI = re.compile(r"(?:\S*doi[:./]\S*?\s*)?(?P<doi>10\.\d{4,9}/[^\s?#]+)(?:[?#]\S*)?")
_LOCAL = re.compile(r"(?P<kind>local|folder):(?P<slug>\S+)")
"""A paper of this graph, or a repository that is a folder; `local:` means both."""
_PAIR = re.compile(r"(?:github:)?([a-z0-9_-]+/[a-z0-9_.-]+)(?:@\S*)?/?")
_ADDRESS = re.compile(
    r"(?:[a-z+]+:/?)?(?:[^/@\s]*@)?(?:www\.)?(?P<host>[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,})\.?(?::\d+)?"
    r"(?:[:/](?P<path>[^\s?#]*))?(?P<query>[?#]\S*)?"
)
_WRAPPED = re.compile(r"^\S*?/(?=(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)[:/])")
"""What an archive or a proxy sets before the address it leads to."""
_CODE_HOST = re.compile(
    r"(?:\S+\.)?(?:github(?:usercontent)?\.com|gitlab\.\S+|bitbucket\.org|codeberg\.org|gitee\.com|huggingface\.co)"
)
_PAGES = re.compile(r"(?P<owner>[a-z0-9-]+)\.(?:github\.io|gitlab\.io|codeberg\.page)")
_FRAMES = frozenset({"repos", "datasets", "spaces", "models", "gh"})
"""What may stand before the owner on a code host."""
_BELOW = frozenset({"-", "tree", "blob", "src", "raw", "archive", "releases", "commit"})
"""What may stand behind the name on one whose owners may be nested."""
_ENDINGS = r"(?:\.(?:git|wiki|zip|tar|gz|tgz|bz2|bundle|atom))*"
_BEFORE, _AFTER = r"(?<![a-z0-9_.-])", r"(?![a-z0-9_-]|\.[a-z0-9_])"
_PIECES = (re.compile(r"[^\s<>\"'`(){}\[\],|\\]+"), re.compile(r"\S+"), re.compile(r"[^\n]+"))
"""What is masked as a whole: an address without what stands around it; if that does not do, a word; a line."""
_LOOKALIKES = str.maketrans(
    dict.fromkeys("\u2044\u2215\u29f8", "/") | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
)


def plain(text: str) -> str:
    """`text` in lower case without percent-encoding, entities, look-alikes, invisible characters, LaTeX's escapes,
    needless slashes, dot segments and spaces beside a slash.
    """
    for _ in range(20):
        former, text = text, html.unescape(unquote(text))
        if not text.isascii():
            text = unicodedata.normalize("NFKC", text).translate(_LOOKALIKES)
            text = "".join(char for char in text if unicodedata.category(char) != "Cf")
        if text == former:
            break
    text = re.sub(r"[\x00-\x08\x0e-\x1f\x7f]", "", text)
    text = re.sub(r"\\([_%#&~$-])", r"\1", text).replace("\\", "/").casefold()
    text = re.sub(r"\s*/\s*(?:\.?/\s*)*", "/", text)
    while "/../" in text and (shorter := re.sub(r"/(?!\.\./)[^/\s]+/\.\./", "/", text)) != text:
        text = shorter
    return text


@dataclass(frozen=True)
class Entry:
    """One line of a blacklist: what it says, where, and the pattern of all that leads there, for plain text.

    `repository` is ``owner/name``, `paper` ``arxiv:<id>`` or ``doi:<doi>``, `local` an id of the graph; in lower case.
    """

    text: str
    place: str
    pattern: str
    repository: str = ""
    paper: str = ""
    local: str = ""


def _entry(text: str, place: str) -> Entry | None:
    """The entry of a line, None if it names nothing that can be recognised."""
    line = _WRAPPED.sub("", plain(text.strip()))
    if found := _LOCAL.fullmatch(line):
        kinds = "(?:local|folder)" if found["kind"] == "local" else "folder"
        return Entry(text, place, rf"{_BEFORE}{kinds}:{re.escape(found['slug'])}{_AFTER}", local=line)
    if found := _ARXIV.fullmatch(line):
        identifier = found["new"] or f"{found['archive']}{(found['subject'] or '').upper()}/{found['number']}"
        old = rf"{_BEFORE}{found['archive']}(?:\.[a-z]{{2}})?/{found['number']}(?!\d)"
        new = rf"(?<!\d)(?<!\d\.){re.escape(identifier)}(?!\d)"
        return Entry(text, place, new if found["new"] else old, paper=f"arxiv:{identifier}")
    if found := _DOI.fullmatch(line):
        return Entry(text, place, rf"(?<!\d){re.escape(found['doi'])}{_AFTER}", paper=f"doi:{found['doi']}")
    if found := _ADDRESS.fullmatch(line):
        return _address(text, place, found["host"], found["path"] or "", found["query"] or "")
    found = _PAIR.fullmatch(line)
    return _repository(text, place, found[1]) if found else None


def _address(text: str, place: str, host: str, path: str, query: str) -> Entry:
    parts = [part for part in path.split("/") if part]
    if parts and (pages := _PAGES.fullmatch(host)):
        return _repository(text, place, f"{pages['owner']}/{parts[0]}")
    if _CODE_HOST.fullmatch(host):
        parts = parts[1:] if parts and parts[0] in _FRAMES else parts
        below = next((n for n, part in enumerate(parts) if part in _BELOW), len(parts))
        parts = parts[: below if host.startswith("gitlab") else 2]
        if len(parts) > 1:
            return _repository(text, place, "/".join([*parts[:-1], parts[-1].partition("@")[0]]))
        if parts:  # an owner alone: all that is his
            hosts = r"(?:github|githubusercontent|gitlab|bitbucket|codeberg|gitee|huggingface)(?:\.[a-z]+)?(?::\d+)?"
            return Entry(text, place, rf"{hosts}(?:/repos)?[:/]{re.escape(parts[0])}(?![a-z0-9_.-])")
    pattern = rf"(?<![a-z0-9-]){re.escape(host)}\.?(?::\d+)?"
    if named := re.search(r"[?&]id=([^&#]+)", query):
        return Entry(text, place, rf"{pattern}\S*[?&]id={re.escape(named[1])}(?![\w-])")
    path = re.escape("/".join(["", *parts]))
    return Entry(text, place, rf"{pattern}{path}(?![a-z0-9_-])")


def _repository(text: str, place: str, name: str) -> Entry:
    name = re.sub(r"(?:\.git|\.wiki|\.)+$", "", name)
    owner, _, last = name.rpartition("/")
    ways = (
        rf"{_BEFORE}{re.escape(name)}",
        rf"{_BEFORE}{re.escape(owner)}-{re.escape(last)}-[0-9a-f]{{7,40}}",  # GitHub's archives unpack to this
        rf"{_BEFORE}(?:[a-z]+--)?{re.escape(owner)}--{re.escape(last)}",  # caches of model hubs
        rf"{_BEFORE}{re.escape(owner)}\.(?:github\.io|gitlab\.io|codeberg\.page)(?::\d+)?/{re.escape(last)}",
    )
    return Entry(text, place, rf"(?:{'|'.join(ways)}){_ENDINGS}{_AFTER}", repository=name)


@dataclass(frozen=True)
class Blacklist:
    """All entries of all files. Without entries it is not in force, and false."""

    entries: tuple[Entry, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.entries)

    @property
    def told_by(self) -> str:
        """Who forbids: the options of a command that forbid for it alone, "the blacklist" where a file forbids."""
        places = dict.fromkeys(entry.place.rpartition(":")[0] for entry in self.entries)
        options = [place for place in places if place.startswith("--")]
        return " and ".join([*(["the blacklist"] if len(options) < len(places) else []), *options])

    @cached_property
    def _any(self) -> re.Pattern[str]:
        return re.compile("|".join(f"(?:{entry.pattern})" for entry in self.entries) or "(?!)")

    @property
    def pattern(self) -> str:
        """A regular expression that an id or address in the graph matches as a whole if it leads to an entry."""
        return f"(?is).*(?:{self._any.pattern}).*"

    def forbids(self, *texts: str) -> Entry | None:
        """The first entry that one of `texts` (addresses, ids of papers or repositories, paths) leads to, or None."""
        for text in map(plain, texts):
            if self._any.search(text):
                return next(entry for entry in self.entries if re.search(entry.pattern, text))
        return None

    def refuse(self, what: str, *texts: str) -> None:
        """Raise InputError, which names entry and file, if one of `texts` is forbidden; `what` was asked for."""
        if entry := self.forbids(*texts):
            raise InputError(
                f"{what} is refused: the blacklist forbids {entry.text}",
                where=entry.place,
                remedy="take it off the list if nothing is to be kept from you",
            )

    def mask(self, text: str) -> str:
        """`text` with WITHHELD for each address or name in it that leads to an entry. None is left in the result."""
        if not self or not self._any.search(plain(text)):
            return text
        for pieces in _PIECES:
            text = pieces.sub(self._masked_piece, text)
            for entry in self.entries if pieces is _PIECES[0] else ():
                spaced = re.escape(entry.repository).replace("/", r"\s*/\s*").replace("_", r"\\?_")
                text = re.sub(rf"(?i){_BEFORE}{spaced}{_AFTER}", WITHHELD, text) if spaced else text
            if not self._any.search(plain(text)):
                return text
        return WITHHELD

    def _masked_piece(self, piece: re.Match[str]) -> str:
        core = piece[0].rstrip(".,;:")
        return WITHHELD + piece[0][len(core) :] if self._any.search(plain(core)) else piece[0]

    def mask_all(self, value: Any) -> Any:
        """`value` with every text in its lists and dictionaries masked."""
        if isinstance(value, str):
            masked = self.mask(value)
            if masked != value and value.startswith("{"):  # a JSON object stays one
                with contextlib.suppress(ValueError):
                    return json.dumps(self.mask_all(json.loads(value)), sort_keys=True, ensure_ascii=False)
            return masked
        if isinstance(value, list | tuple):
            return [self.mask_all(item) for item in value]
        if isinstance(value, dict):
            return {self.mask(key): self.mask_all(item) for key, item in value.items()}
        return value


_NAMED = re.compile(
    r"(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)[:/]([a-z0-9_-]+/[a-z0-9_.-]*[a-z0-9_-])(?![a-z0-9_-])"
)


def repositories_named(text: str) -> tuple[str, ...]:
    """``owner/name`` of each repository whose address on a code host stands in a text, in lower case."""
    return tuple(dict.fromkeys(re.sub(r"\.git$", "", name) for name in _NAMED.findall(plain(text))))


NOTHING = Blacklist()


def open_blacklist(settings: Settings) -> Blacklist:
    """The blacklist of `settings.blacklist`. Raises InputError for a file or a line that can't be read."""
    return Blacklist(tuple(entry for file in settings.blacklist for entry in _read(file)))


def _read(file: Path) -> list[Entry]:
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"blacklist {file} can't be read: {error.strerror if isinstance(error, OSError) else 'it is not UTF-8'}",
            remedy="correct the setting `blacklist` (XKG_BLACKLIST); nothing is done without it",
        ) from error
    return list(blacklist_of(lines, str(file)).entries)


def blacklist_of(lines: Iterable[str], place: str) -> Blacklist:
    """The blacklist of these lines of `place`. Raises InputError for a line that can't be read."""
    entries = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#") or text.lower() == "none":
            continue
        entry = _entry(text, f"{place}:{number}")
        if entry is None:
            raise InputError(
                f"{text!r} is no address, owner/name, arXiv id or DOI",
                where=f"{place}:{number}",
                remedy="correct the line; nothing is done with a blacklist that can't be read",
            )
        entries.append(entry)
    return Blacklist(tuple(entries))
