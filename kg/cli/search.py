"""`xkg search techniques|code|papers|sections QUERY`, and what `xkg search QUERY` shares with them."""

import textwrap
from collections.abc import Callable, Sequence
from functools import singledispatch
from typing import Any, TypeVar

import click

from kg.cli.common import IMPORTED, emit, json_option
from kg.config import load_settings
from kg.embeddings import open_embedder
from kg.opening import open_store
from kg.search import THRESHOLD, SearchKind, search_kinds
from kg.search.believing import believed
from kg.search.results import CodeHit, Hit, PaperHit, SearchResult, SectionHit, TechniqueHit

__all__ = [
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


def search_options(limit: int) -> Callable[[F], F]:
    """Adds what every search takes: ``query``, ``limit`` (with this default), ``threshold`` and ``as_json``."""

    def added(command: F) -> F:
        for option in (
            json_option,
            click.option(
                "--threshold",
                default=THRESHOLD,
                show_default=True,
                type=float,
                help="Least relevance of a hit: cosine, plus up to 0.25 for the query's words in its text.",
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


def answer(kinds: tuple[SearchKind, ...], query: Sequence[str], limit: int, threshold: float, as_json: bool) -> None:
    """Search and print what is found. Raises UsageError for no query."""
    text, settings = asked_for(kinds, query), load_settings()
    embedder = open_embedder(settings)
    with open_store(settings) as store:
        found = search_kinds(store, embedder, kinds, text, limit=limit, threshold=threshold)
        results = believed(store, settings, found)
    if len(kinds) == 1:
        emit(results[0], as_json=as_json, text=lambda: _text(results[0]), withheld=store.withheld)
    else:
        value = {"query": text, "results": {result.kind: result for result in results}}
        emit(value, as_json=as_json, text=lambda: _grouped(results), withheld=store.withheld)


def asked_for(kinds: tuple[SearchKind, ...], query: Sequence[str]) -> str:
    """The words of a query as one text. Raises UsageError if there are none."""
    if not query:
        word = kinds[0] if len(kinds) == 1 else "WORDS"
        raise click.UsageError(f"Missing what to look for. For the word itself: `xkg search all {word}`.")
    return " ".join(query)


def _command(kind: SearchKind, help_text: str) -> click.Command:
    @click.command(help=help_text, short_help=help_text.partition(".")[0] + ".")
    @search_options(10)
    def command(query: tuple[str, ...], limit: int, threshold: float, as_json: bool) -> None:
        answer((kind,), query, limit, threshold, as_json)

    return command


COMMON = (
    " Hits are found by meaning and by words, fused by rank, and widened along the graph; what is not relevant is not"
    " shown, so an answer may be empty."
)
search_techniques = _command("techniques", "Techniques, findings and resources that answer QUERY." + COMMON)
search_code = _command("code", "Code that answers QUERY, with its verdict, licence and origin." + COMMON)
search_papers = _command("papers", "Ingested papers that answer QUERY." + COMMON)
search_sections = _command("sections", "Sections of papers that answer QUERY." + COMMON)


def _grouped(results: Sequence[SearchResult]) -> str:
    """Kinds that have hits under their names; the others in a line each."""
    parts = [f"{result.kind.capitalize()}\n\n{_text(result)}" for result in results if result.hits]
    return "\n\n".join([*parts, "\n".join(_text(result) for result in results if not result.hits)]).rstrip()


def _text(result: SearchResult) -> str:
    if not result.hits:
        if not result.searched:
            return f"The graph holds no {result.kind} yet; `xkg ingest paper` brings some."
        what = "code units" if result.kind == "code" else result.kind
        return f"Nothing relevant among {result.searched} {what}."
    return "\n\n".join(hit_text(hit) for hit in result.hits)


def hit_text(hit: Hit) -> str:
    """A hit for people: its name, what is known of it, why it is one, and its id."""
    lines = [f"{hit.rank:>2}. {hit.name}", *([IMPORTED] if hit.imported else []), *_facts(hit)]
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
