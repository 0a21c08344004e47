"""`xkg search QUERY`: all kinds at once, or, with `--verify`, what a model makes of it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from kg.cli.common import emit, log, printable
from kg.cli.search import AS_NARROWED, COMMON, WIDTH, answer, asked_for, hit_text, search_options
from kg.cli.search_filters import Narrowed
from kg.config import load_settings

if TYPE_CHECKING:
    from agents.retrieval.results import JudgedSearch, Seen
    from kg.search import SearchKind

__all__ = ["search_all"]

KINDS: tuple[SearchKind, ...] = ("techniques", "code", "papers", "sections")


@click.command(
    short_help="All kinds at once, grouped.",
    help="All kinds at once, grouped; the same as `xkg search QUERY`. The word `all` is needed only where QUERY begins"
    f" with the name of a kind, as in `xkg search all code review`.{COMMON}\n\n"
    "With --verify QUERY is a task: a language model takes it apart into techniques, each is searched for (techniques"
    " and code, LIMIT of each), and the model keeps, orders and explains hits, or rejects them with a reason. Scores,"
    " verdicts and licences are the graph's. If the model fails, the hits are printed as not judged, with exit code 4;"
    " 5 where a limit was reached.",
)
@search_options(3)
@click.option("--verify", is_flag=True, help="Let a language model judge what is found, in two calls at most.")
@click.option("--profile", help="With --verify: the model, as xkg.toml calls it. Default: the settings'.")
@click.option(
    "--techniques",
    type=click.IntRange(0, 50),
    help="With --verify: most techniques that QUERY is taken apart into. Default: the setting search.techniques.",
)
def search_all(
    query: tuple[str, ...], limit: int, threshold: float, as_json: bool, verify: bool, profile: str | None,
    techniques: int | None, narrowed: Narrowed,
) -> None:  # fmt: skip
    if verify and narrowed.after:
        raise click.UsageError("--cursor is not for --verify: a model judges the first hits.")
    if verify:
        task = asked_for(KINDS, query)
        raise SystemExit(_judged(task, limit, threshold, techniques, profile, narrowed, as_json=as_json))
    if profile or techniques is not None:
        raise click.UsageError("--profile and --techniques are for --verify.")
    answer(KINDS, query, limit, threshold, as_json, narrowed)


def _judged(
    task: str, limit: int, threshold: float, techniques: int | None, profile: str | None, narrowed: Narrowed,
    *, as_json: bool,
) -> int:  # fmt: skip
    """Print the judged answer; the exit code."""
    from agents.llm import LLM
    from agents.retrieval import judged_search
    from kg.embeddings import open_embedder
    from kg.opening import open_store

    settings = load_settings()
    llm, embedder = LLM(settings, profile), open_embedder(settings)
    with open_store(settings) as store:
        only = narrowed.applied(store)
        found = judged_search(
            store, settings, embedder, llm, task, techniques=techniques, limit=limit, threshold=threshold, only=only
        )
    emit(
        found,
        as_json=as_json,
        text=lambda: "\n".join(_text(found, AS_NARROWED if only else "")),
        withheld=store.withheld,
    )
    for failure in found.failures:
        log.print(printable(f"{failure.step}: {failure.kind}: {failure.message}"), markup=False)
    for drop in found.dropped:
        log.print(printable(f"not taken: {drop.why}: {drop.said}"), markup=False)
    log.print(f"model {found.model}: this run has used {llm.ledger.used(llm.run)}", markup=False)
    if any(failure.kind == "limit reached" for failure in found.failures):
        return 5
    return 4 if found.failures else 0


def _text(found: JudgedSearch, narrowed: str) -> Iterator[str]:
    if len(found.queries) > 1:
        yield from _wrapped("Techniques of the task", "; ".join(query.name for query in found.queries[1:]), "")
        yield ""
    if found.state == "nothing found":
        looked = ", ".join(f"{count} {kind}" for kind, count in found.searched.items())
        yield f"Nothing relevant among {looked}{narrowed}."
        return
    for number, one in enumerate(found.kept, start=1):
        yield _numbered(number, one)
        yield from _wrapped(one.relevance, one.why)
        yield from _wrapped("use", one.guidance)
        yield from _wrapped("beware", one.beware) if one.beware else ()
        for quote in one.quotes:
            yield from _wrapped("it says", f"“{quote}”")
        yield from _wrapped("found by", _queries(found, one))
        yield ""
    if found.state == "judged" and not found.kept:
        yield "The model keeps none of the hits.\n"
    if found.rejected:
        yield "Rejected"
        for rejected in found.rejected:
            said = f"{rejected.reason}: {rejected.why}" if rejected.why else rejected.reason
            yield from _wrapped(rejected.hit.name, f"{said} ({rejected.hit.id})", "  ")
        yield ""
    if found.unjudged:
        yield "NOT JUDGED by the model, as the search found them"
        for number, seen in enumerate(found.unjudged, start=1):
            yield _numbered(number, seen)
            yield ""


def _numbered(number: int, one: Seen) -> str:
    """A hit with its place in this answer, not in the search that found it."""
    return hit_text(one.hit.model_copy(update={"rank": number}))


def _queries(found: JudgedSearch, one: Seen) -> str:
    """By which queries a hit was found, with its relevance and rank in each."""
    names: Sequence[str] = ["the task", *(query.name for query in found.queries[1:])]
    return "; ".join(f"{names[by.query]} (relevance {by.relevance:.2f}, #{by.rank})" for by in one.found)


def _wrapped(name: str, text: str, indent: str = "    ") -> list[str]:
    return textwrap.wrap(
        f"{name}: {text}", WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False
    )
