"""Bodies by address: a paper as it is read, and code with all that must be said of it."""

from dataclasses import dataclass
from urllib.parse import quote, unquote

from pydantic import ValidationError

from agents.tools import TOOLS, Context
from agents.tools.envelope import sealed
from agents.tools.papers import paper_text
from kg.errors import InputError
from kg.results.show import ListedPaper

__all__ = ["PREFIXES", "Body", "Kind", "list_papers", "read_body"]

PAGE = 100
"""Papers in one answer."""
MOST = 200_000
"""Characters of a body: a client who wants less asks the tools."""
TOKENS = 60_000
"""The same of code."""
CUT = "\n\n… cut here; `read_section` has the rest, section by section"


@dataclass(frozen=True)
class Kind:
    """What stands behind addresses of one form."""

    name: str
    purpose: str
    mime_type: str


@dataclass(frozen=True)
class Body:
    """A resource that was read."""

    text: str
    mime_type: str


PAPER, CODE = "xkg://paper/", "xkg://code/"
PREFIXES = {
    PAPER: Kind("paper", "A paper as it is read, in Markdown with its formulas in LaTeX.", "text/markdown"),
    CODE: Kind("code", "A piece of code with origin, licence and verdict, as JSON.", "application/json"),
}
"""By how their addresses begin; behind it stands an id, percent-encoded."""


def list_papers(context: Context, cursor: str) -> tuple[list[tuple[str, str, str]], str]:
    """Addresses, ids and titles of papers from the one behind the id `cursor` on, and the cursor of the next page."""
    papers = sorted(context.store.rows(ListedPaper, cited=False), key=lambda paper: paper.id)
    rest = [paper for paper in papers if paper.id > cursor]
    page = rest[:PAGE]
    return [(f"{PAPER}{quote(one.id, safe='')}", one.id, one.title) for one in page], (
        page[-1].id if len(rest) > PAGE else ""
    )


def read_body(context: Context, uri: str) -> Body:
    """What stands at an address. Raises InputError for one that is none, or leads to nothing that may be shown,
    ServiceError where the graph does not answer."""
    prefix = next((prefix for prefix in PREFIXES if uri.startswith(prefix)), None)
    if prefix is None:
        raise InputError(f"{uri[:200]} is no address here", remedy=f"they begin with {' or '.join(PREFIXES)}")
    node, kind = unquote(uri.removeprefix(prefix)), PREFIXES[prefix]
    if prefix == PAPER:
        text = paper_text(context, node)
        return Body(text if len(text) <= MOST else text[: MOST - len(CUT)] + CUT, kind.mime_type)
    tool, limited = TOOLS["get_code"], context.with_limit(TOKENS)
    try:
        asked = tool.arguments.model_validate({"code": node})
    except ValidationError as error:
        raise InputError(f"{uri[:200]} names no code", remedy="take an id that a tool has told") from error
    return Body(sealed(tool.run(limited, asked), TOKENS).text(), kind.mime_type)
