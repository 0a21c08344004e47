"""What every command shares: `--json`, one way to print data, one way to fail."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import isfinite
from operator import methodcaller
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rich.console import Console

from kg.errors import XkgError
from kg.printing import CONTROL, printable

if TYPE_CHECKING:
    from kg.store import Withheld

__all__ = ["IMPORTED", "FiniteRange", "emit", "fail", "json_option", "log", "printable", "progress", "telling"]

IMPORTED = "imported: a file says so, this home has not read it from its source"

F = TypeVar("F", bound=Callable[..., Any])


class FiniteRange(click.FloatRange):
    """Numbers of a range: click's own lets NaN through, which no bound is greater or less than, and infinity."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """As click does; a usage error for what is no number."""
        found = super().convert(value, param, ctx)
        if not isfinite(found):
            self.fail(f"{value!r} is no number.", param, ctx)
        return found


def json_option(command: F) -> F:
    """Adds `--json` (parameter `as_json`)."""
    return click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")(command)


class _Log(Console):
    def print(self, *objects: Any, **options: Any) -> None:
        super().print(*(printable(each) if isinstance(each, str) else each for each in objects), **options)


log = _Log(stderr=True, highlight=False, soft_wrap=True)
"""Where progress and remarks go: stderr, never stdout."""


def emit(value: Any, *, as_json: bool, text: Callable[[], str], withheld: Withheld | None = None) -> None:
    """Print `value`, which may hold pydantic models, as JSON, or what `text()` returns, to stdout.

    Where a blacklist is in force, the JSON of an object also has `withheld`: how much of what it keeps from the reader.
    """
    if as_json:
        value = {**dict(value), "withheld": withheld.counts} if withheld else value
        dump = methodcaller("model_dump", mode="json")
        told = json.dumps(value, ensure_ascii=False, indent=2, default=dump)
        click.echo(CONTROL.sub(lambda found: json.dumps(found[0])[1:-1], told))
    else:
        click.echo(printable(text()).rstrip("\n"))


def fail(error: XkgError) -> int:
    """Tell an error in one sentence on stderr; returns the exit code."""
    click.echo(printable(f"xkg: {error}"), err=True)
    sys.stdout.flush()
    return error.exit_code


class _Telling(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        log.print(printable(record.getMessage()), markup=False)


@contextmanager
def telling(name: str) -> Iterator[None]:
    """What the logger `name` notes is told on stderr: what happens before there is a first result."""
    logger, handler, level = logging.getLogger(name), _Telling(), logging.getLogger(name).level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


@contextmanager
def progress(total: int) -> Iterator[Callable[[str, str], None]]:
    """Tells of `total` things, each with its name and a line: a bar on a terminal, and the lines on stderr at once."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=log, transient=True, disable=not log.is_terminal) as bar:
        task = bar.add_task("", total=total)

        def done(name: str, line: str) -> None:
            bar.update(task, advance=1, description=name)
            log.print(line, markup=False)

        yield done
