"""Names of papers and repositories, as people write them."""

import re
from typing import NamedTuple

__all__ = ["ArxivId", "GithubRef", "is_git_ref", "parse_arxiv", "parse_github"]

_ARXIV = re.compile(
    r"""(?:arxiv:\s*|https?://(?:[a-z0-9-]+\.)?arxiv\.org/(?:abs|pdf|html|format|src|e-print|ps)/|arxiv\.org/(?:abs|pdf)/)?
    (?P<id>\d{4}\.\d{4,5}|[a-z]+(?:-[a-z]+)?(?:\.[a-z]{2})?/\d{7})
    (?:v(?P<version>[1-9]\d{0,2}))?(?:\.pdf)?/?(?:[?\#].*)?""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_NAME = r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}?"
_GITHUB = re.compile(
    rf"""(?:https?://(?:[^/@\s]+@)?(?:www\.)?github\.com/|git@github\.com:|ssh://git@github\.com(?::\d+)?/
        |git://github\.com/|github\.com/|github:)?
    (?P<name>{_NAME})(?:\.git)?
    (?:@(?P<at>[^\s@]+)|/(?:tree|commit|releases/tag)/(?P<tree>[^\s?\#]+?))?/?(?:[?\#].*)?""",
    re.VERBOSE,
)


class ArxivId(NamedTuple):
    """An arXiv id, new style ("1706.03762") or old ("hep-th/9901001"); `version` None means the newest."""

    id: str
    version: int | None = None

    def __str__(self) -> str:
        return self.id + (f"v{self.version}" if self.version else "")


class GithubRef(NamedTuple):
    """A repository on GitHub; `at` is a commit, tag or branch, None the default branch's newest commit."""

    owner: str
    name: str
    at: str | None = None

    @property
    def full_name(self) -> str:
        """``owner/name``."""
        return f"{self.owner}/{self.name}"


def parse_arxiv(text: str) -> ArxivId | None:
    """The arXiv id that `text` (an id, "arXiv:…" or an address on arxiv.org) names, or None."""
    if match := _ARXIV.fullmatch(text.strip()):
        identifier = match["id"].lower()
        if "/" in identifier:
            archive, _, number = identifier.partition("/")
            head, dot, subject = archive.partition(".")
            identifier = f"{head}{dot}{subject.upper()}/{number}"
        return ArxivId(identifier, int(match["version"]) if match["version"] else None)
    return None


def parse_github(text: str) -> GithubRef | None:
    """The repository that `text` (owner/name, with @commit, or an https, ssh or git address) names, or None."""
    match = _GITHUB.fullmatch(text.strip())
    if not match:
        return None
    owner, _, name = match["name"].partition("/")
    at = match["at"] or match["tree"]
    if name in {".", "..", ".git"} or (at and not is_git_ref(at)):
        return None
    return GithubRef(owner, name, at)


def is_git_ref(text: str) -> bool:
    """Whether git can take `text` as the name of a commit, tag or branch, and as nothing else (no option, no range)."""
    return (
        re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._/+#-]{0,249}", text) is not None
        and ".." not in text
        and "//" not in text
        and not text.endswith((".", "/", ".lock"))
    )
