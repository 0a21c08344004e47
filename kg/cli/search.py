"""`xkg search techniques|code|papers|sections QUERY`, and what `xkg search QUERY` shares with them."""

import textwrap
from collections.abc import Callable, Sequence
from functools import singledispatch
from typing import Any, TypeVar

import click

from kg.cli.common import IMPORTED, FiniteRange, emit, json_option
from kg.cli.search_filters import Narrowed, filter_options
from kg.config import load_settings
from kg.embeddings import open_embedder
from kg.opening import open_store
from kg.search import THRESHOLD, SearchKind, search_kinds
from kg.search.believing import believed
from kg.search.filters import Only, still
from kg.search.results import CodeHit, Hit, PaperHit, SearchResult, SectionHit, TechniqueHit

__all__ = [
    "AS_NARROWED",
    "COMMON",
    "WIDTH",
    "answer",
    "asked_for",
    "hit_text",
    "search_code",
    "search_options",
    "search_papers",
    "search_sections",
    "search_techniques",
]

F = TypeVar("F", bound=Callable[..., Any])

WIDTH = 100
AS_NARROWED = " as narrowed by the filters"
"""Behind what was looked through: without them there may be hits."""


def search_options(limit: int) -> Callable[[F], F]:
    """Adds what every search takes: ``query``, ``limit`` (with this default), ``threshold``,
    ``as_json`` and ``narrowed``."""

    def added(command: F) -> F:
        for option in (
            filter_options,
            json_option,
            click.option(
                "--threshold",
                default=THRESHOLD,
                show_default=True,
                type=FiniteRange(),
                help="Relevance of a strong hit, on the scale of a cosine; weak ones reach a little less.",
            ),
            click.option(
                "-n",
                "--limit",
                default=limit,
                show_default=True,
                type=click.IntRange(1, 200),
                help="Most hits of a kind.",
            ),
            click.argument("query", nargs=-1),
        ):
            command = option(command)
        return command

    return added


def answer(
    kinds: tuple[SearchKind, ...], query: Sequence[str], limit: int, threshold: float, as_json: bool, narrowed: Narrowed
) -> None:
    """Search and print what is found. Raises UsageError for no query."""
    text, settings = asked_for(kinds, query), load_settings()
    embedder = open_embedder(settings)
    with open_store(settings) as store:
        only = narrowed.applied(store)
        found = search_kinds(
            store, embedder, kinds, text, limit=limit, threshold=threshold, only=only, after=narrowed.after
        )
        results = tuple(still(result, only) for result in believed(store, settings, found))
    if len(kinds) == 1:
        emit(results[0], as_json=as_json, text=lambda: _text(results[0], only), withheld=store.withheld)
    else:
        value = {"query": text, "results": {result.kind: result for result in results}}
        emit(value, as_json=as_json, text=lambda: _grouped(results, only), withheld=store.withheld)


def asked_for(kinds: tuple[SearchKind, ...], query: Sequence[str]) -> str:
    """The words of a query as one text. Raises UsageError if there are none."""
    if not query:
        word = kinds[0] if len(kinds) == 1 else "WORDS"
        raise click.UsageError(f"Missing what to look for. For the word itself: `xkg search all {word}`.")
    return " ".join(query)


def _command(kind: SearchKind, help_text: str) -> click.Command:
    @click.command(help=help_text, short_help=help_text.partition(".")[0] + ".")
    @search_options(10)
    def command(query: tuple[str, ...], limit: int, threshold: float, as_json: bool, narrowed: Narrowed) -> None:
        answer((kind,), query, limit, threshold, as_json, narrowed)

    return command


COMMON = (
    " Hits are found by name, by words and by meaning, and widened along the graph. What is not relevant is not shown,"
    " so an answer may be empty; up to three hits that may be meant are called weak. Words that stand nowhere are taken"
    " for misspelled if nothing else is found."
)
search_techniques = _command("techniques", "Techniques, findings and resources that answer QUERY." + COMMON)
search_code = _command("code", "Code that answers QUERY, with its verdict, licence and origin." + COMMON)
search_papers = _command("papers", "Ingested papers that answer QUERY." + COMMON)
search_sections = _command("sections", "Sections of papers that answer QUERY." + COMMON)


def _grouped(results: Sequence[SearchResult], only: Only) -> str:
    """Kinds that have hits under their names; the others in a line each."""
    parts = [f"{result.kind.capitalize()}\n\n{_text(result, only)}" for result in results if result.hits]
    return "\n\n".join([*parts, "\n".join(_text(result, only) for result in results if not result.hits)]).rstrip()


def _text(result: SearchResult, only: Only) -> str:
    more = [f"More: --cursor {result.next_cursor}"] if result.next_cursor else []
    if not result.hits and not more:
        if not result.searched:
            return f"The graph holds no {result.kind} yet; `xkg ingest paper` brings some."
        what = "code units" if result.kind == "code" else result.kind
        return f"Nothing relevant among {result.searched} {what}{AS_NARROWED if only else ''}."
    told = [f"Nothing so written; looked for “{result.spelling}”."] if result.spelling else []
    told += [] if result.hits else [f"No {result.kind} of this page has such a verdict any more."]
    return "\n\n".join([*told, *map(hit_text, result.hits), *more])


def hit_text(hit: Hit) -> str:
    """A hit for people: its name, what is known of it, why it is one, and its id."""
    weak = "  (weak: may be meant)" if hit.strength == "weak" else ""
    lines = [f"{hit.rank:>2}. {hit.name}{weak}", *([IMPORTED] if hit.imported else []), *_facts(hit)]
    if hit.snippet:
        lines += textwrap.wrap(hit.snippet, WIDTH - 4)
    lines += [f"why: {hit.evidence.why}", hit.id]
    return "\n    ".join(lines)


@singledispatch
def _facts(hit: Hit) -> list[str]:
    """What a hit of its kind shows below its name."""
    raise TypeError(type(hit))


@_facts.register
def _(hit: TechniqueHit) -> list[str]:
    lines = [f"{hit.kind} of {hit.paper_title or hit.paper}"]
    lines += [
        f"{said}: {code.name} ({code.verdict}, {code.licence or 'no licence'}) {code.place}, score {code.score:.2f}"
        for said, found in (("code", hit.code), ("likely code", hit.likely))
        for code in found
    ]
    if not hit.code and not hit.likely and hit.candidates:
        lines.append(f"code: none asserted; {hit.candidates} candidates, see `xkg technique show`")
    return lines


@_facts.register
def _(hit: CodeHit) -> list[str]:
    verdict = hit.verdict + (f" ({hit.verdict_reason})" if hit.verdict_reason else "")
    lines = [hit.place or hit.file, f"{verdict} · {hit.licence or 'no licence'} · {hit.language} · {hit.origin}"]
    said = (("implements", hit.implements), ("likely implements", hit.likely))
    return lines + [f"{what}: {', '.join(names)}" for what, names in said if names]


@_facts.register
def _(hit: PaperHit) -> list[str]:
    names = ", ".join(hit.authors[:3]) + (" et al." if len(hit.authors) > 3 else "")
    return [" · ".join(part for part in (names, str(hit.year or ""), f"{hit.techniques} top-level techniques") if part)]


@_facts.register
def _(hit: SectionHit) -> list[str]:
    return [f"{hit.paper_title or hit.paper} · {hit.file}:{hit.start}-{hit.end}"]
