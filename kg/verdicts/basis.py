"""What a verdict rests on beside the code itself: hashes of places, which a later ingest compares.

A place is a `Part` and, for some, a path in the repository: ``"read tests/data.json"``. A basis keeps the hash before
each of its places: ``"<32 hex digits> read tests/data.json"``.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

__all__ = ["NOTHING", "Part", "as_basis", "block_basis", "differences", "digest_of", "folder_of", "parse", "place"]

NOTHING = "-" * 32
"""The hash of a file or folder that is not there."""
NAMED = 3
"""Changed files that a person is told by name."""


class Part(StrEnum):
    """Kinds of what a verdict rests on.

    Of what its run opened: READ, a file; LISTED, the names in a folder (the top of the repository is ""), each of them
    a NAME where they are not too many, to tell a person which have come or gone. LINKS are all symbolic links, each of
    them a LINK with where it leads to: which of them a run has followed nobody can tell. PATHS are the names of all
    files, where the run may have looked for some without opening them, MODES which of them are executable, where it may
    have asked. CODE is all that may hold tests, where none of the repository's speaks for the unit. EVERYTHING stands
    for all files and links of the repository, where it is not known what was opened. REQUIREMENTS is what the
    environment is made from, TEST the test that came with an imported block. SPECIFICATION is what papers say of the
    code, from which a model wrote the test.
    """

    READ = "read"
    LISTED = "listed"
    NAME = "name"
    LINK = "link"
    LINKS = "links"
    PATHS = "paths"
    MODES = "modes"
    CODE = "code"
    REQUIREMENTS = "requirements"
    EVERYTHING = "everything"
    TEST = "test"
    SPECIFICATION = "specification"


SAYS = {
    Part.LINKS: "links of its repository, which its run may have followed, have changed since",
    Part.PATHS: "files have come to its repository or gone from it since, where its run may have looked for some",
    Part.MODES: "files of its repository have become executable since or are no longer, where its run may have asked",
    Part.CODE: "code of its repository has changed since, where there may be tests of it now",
    Part.REQUIREMENTS: "the requirements have changed since",
    Part.EVERYTHING: "its repository has changed since, and what its verdict rests on there is not known",
    Part.TEST: "its test has changed since",
    Part.SPECIFICATION: "what its paper says of it has changed since, from which its test was written",
}
"""What a person reads when such a part is no longer what it was."""


def place(part: Part, path: str = "") -> str:
    """The name of a place."""
    return f"{part} {path}" if part in {Part.READ, Part.LISTED, Part.NAME, Part.LINK} else part.value


def digest_of(content: bytes) -> str:
    """The hash of a place's content: 128 bits."""
    return hashlib.sha256(content).hexdigest()[:32]


def folder_of(name: str) -> str:
    """The folder that a NAME is in: that of a file, or of a folder with a slash at its end."""
    return name.rstrip("/").rpartition("/")[0]


def as_basis(places: Mapping[str, str]) -> tuple[str, ...]:
    """A basis as a node keeps it, sorted by places."""
    return tuple(f"{digest} {name}" for name, digest in sorted(places.items()))


def parse(basis: Iterable[str]) -> dict[str, str]:
    """The hashes of a basis by their places."""
    items = (item.partition(" ") for item in basis)
    return {name: digest for digest, _, name in items}


def block_basis(test: str, requirements: Sequence[str]) -> tuple[str, ...]:
    """The basis of a block that came with its test: nothing else takes part when it is run."""
    listed = json.dumps(list(requirements)).encode()
    return as_basis({Part.REQUIREMENTS: digest_of(listed), Part.TEST: digest_of(test.encode("utf-8", "replace"))})


def differences(before: Iterable[str], now: Mapping[str, str]) -> str:
    """Where the basis `before` is no longer what there is `now` (by place), in words; "" if it still is.

    A LINK of `now` that `before` lacks is a new one, where LINKS differ, and so is a NAME in a LISTED folder that
    differs, if `before` has any.
    """
    former = parse(before)
    changed = [name for name in sorted(former) if former[name] != now.get(name)]
    known = [name for name in changed if name in now]
    links = _of(Part.LINK, known)
    if Part.LINKS in known:
        links += [path for path in _of(Part.LINK, now) if place(Part.LINK, path) not in former]
    said = [_files(paths) for paths in [_of(Part.READ, known)] if paths]
    said += [_links(paths) for paths in [sorted(links)] if paths]
    if folders := _of(Part.LISTED, known):
        gone = _of(Part.NAME, known)
        come = [path for path in _of(Part.NAME, now) if place(Part.NAME, path) not in former]
        named = bool(_of(Part.NAME, former))
        said.append(_folders(folders, [path for path in come if named and folder_of(path) in folders], gone))
    said += [SAYS[part] for part in SAYS if part in known and not (part == Part.LINKS and links)]
    if len(known) < len(changed):
        said.append("what its verdict rests on in its repository could not be compared")
    return "; ".join(said)


def _of(part: Part, places: Iterable[str]) -> list[str]:
    return [name.partition(" ")[2] for name in places if name.partition(" ")[0] == part]


def _files(paths: Sequence[str]) -> str:
    return f"{_several(paths, 'files')}, which its run read, {'has' if len(paths) == 1 else 'have'} changed since"


def _links(paths: Sequence[str]) -> str:
    one = len(paths) == 1
    what = f"{'a link' if one else 'links'} that its run may have followed, {'has' if one else 'have'} changed since"
    return f"{_several(paths, 'links')}, {what}"


def _folders(paths: Sequence[str], come: Sequence[str], gone: Sequence[str]) -> str:
    places = _several([path or "the top of its repository" for path in paths], "folders")
    named = {"come": sorted(come), "gone": sorted(gone)}
    ways = [f"{way} ({_several(names, 'files')})" for way, names in named.items() if names] or [*named]
    return f"files have {' or '.join(ways)} since in {places}, where its run looked"


def _several(names: Sequence[str], what: str) -> str:
    """Names as a list for people."""
    if len(names) > NAMED:
        return f"{', '.join(names[:NAMED])} and {len(names) - NAMED} other {what}"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
