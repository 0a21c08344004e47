"""The options that narrow a search or keep something from it, bundled for the commands that take them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar, get_args

import click

from kg.excluding import Excluded
from kg.lookup import find_node
from kg.models.code import UnitKind
from kg.models.execution import Verdict
from kg.models.technique import Kind
from kg.search.filters import Only
from kg.store import Store

__all__ = ["Narrowed", "exclude_options", "filter_options"]

F = TypeVar("F", bound=Callable[..., Any])


KINDS: tuple[str, ...] = (*get_args(Kind), *get_args(UnitKind))


@dataclass(frozen=True)
class Narrowed:
    """What was asked for, as it was typed; `after` is how many hits an earlier answer has given."""

    kind: tuple[str, ...]
    verdict: tuple[str, ...]
    licence: tuple[str, ...]
    language: tuple[str, ...]
    paper: tuple[str, ...]
    after: int
    excluded: Excluded

    def applied(self, store: Store) -> Only:
        """The filters in the graph's own words; what is excluded is not in `store` from now on. Raises InputError."""
        papers = tuple(find_node(store, "Paper", paper) for paper in self.paper)
        store.blacklist = self.excluded.from_(store)
        return Only(
            kinds=self.kind,
            verdicts=self.verdict,
            licences=tuple(licence.lower() for licence in self.licence),
            languages=tuple(language.lower() for language in self.language),
            papers=papers,
        )


def exclude_options(command: F) -> F:
    """Adds what must not be found; the command gets it as `excluded`."""

    @wraps(command)
    def run(*args: Any, **options: Any) -> Any:
        excluded = Excluded(options.pop("exclude_paper"), options.pop("exclude_repository"))
        return command(*args, excluded=excluded, **options)

    added: F = _repeatable(
        run,
        ("--exclude-repository", "Nothing of this repository (owner/name, an address, folder:NAME).", None),
        ("--exclude-paper", "Nothing of this paper nor of its repositories: an agent's target.", None),
    )
    return added


def filter_options(command: F) -> F:
    """Adds the filters, the cursor and what must not be found; the command gets them as `narrowed`."""

    @wraps(command)
    def run(*args: Any, excluded: Excluded, **options: Any) -> Any:
        mine = {name: options.pop(name) for name in ("kind", "verdict", "licence", "language", "paper")}
        return command(*args, narrowed=Narrowed(**mine, after=options.pop("cursor"), excluded=excluded), **options)

    found: Any = _repeatable(
        exclude_options(run),
        ("--paper", "Only of this paper (id or name).", None),
        ("--language", "Only where code is in this language.", None),
        ("--licence", "Only where code has this licence; `none` for code without one.", None),
        ("--verdict", "Only where code has this verdict.", click.Choice(get_args(Verdict))),
        ("--kind", "Only this kind of technique or code.", click.Choice(KINDS)),
    )
    told = "Go on behind an earlier answer: its `next_cursor`."
    added: F = click.option("--cursor", type=click.IntRange(0, 10_000), default=0, help=told)(found)
    return added


def _repeatable(command: Any, *options: tuple[str, str, click.Choice[str] | None]) -> Any:
    for name, text, choice in options:
        command = click.option(name, type=choice, multiple=True, help=f"{text} May be given more than once.")(command)
    return command
