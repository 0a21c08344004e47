"""Foreign Python read as a syntax tree, by one thread at a time and without its warnings."""

import ast
import re
import textwrap
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

__all__ = ["NotPython3", "expression", "parse", "parse_piece", "quietly"]

T = TypeVar("T")
_FURTHER_IN = re.compile(r"\A@.*?^([ \t]+)(?:@|(?:async[ \t]+)?(?:def|class)\b)", re.DOTALL | re.MULTILINE)
"""A decorator that begins a text, and how far in stands what it belongs to."""

# Filters of warnings belong to the process, and so does the depth that CPython counts while it builds a tree: a second
# thread that builds one meanwhile ends the first with SystemError (cpython 106905).
_PARSING = threading.RLock()


@contextmanager
def quietly() -> Iterator[None]:
    """What Python warns of in foreign code is not shown; one thread at a time."""
    with _PARSING, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


class NotPython3(Exception):
    """`ast` refuses the source: Python 2, a syntax error, or nesting beyond its limits."""


def parse(text: str) -> ast.Module:
    """The syntax tree of `text`; NotPython3 when there is none."""
    return _read(lambda: ast.parse(text))


def parse_piece(text: str) -> ast.Module:
    """The syntax tree of what was cut out of a file from its first sign on: its lines may all stand further in, or all
    but the first, as of a method with a decorator. NotPython3 when there is none."""
    try:
        return parse(textwrap.dedent(text))
    except NotPython3:
        if (cut := _FURTHER_IN.match(text)) is None:
            raise
        inside = parse(f"if 1:\n{cut[1]}{text}").body
        return ast.increment_lineno(ast.Module(list(getattr(inside[0], "body", [])), []), -1)


def expression(text: str) -> ast.expr:
    """The tree of one expression; NotPython3 for anything else."""
    return _read(lambda: ast.parse(text.strip(), mode="eval").body)


def _read(read: Callable[[], T]) -> T:
    try:
        with quietly():
            return read()
    except SyntaxError as error:
        raise NotPython3(f"line {error.lineno or 1}: {error.msg}") from error
    except ValueError as error:
        raise NotPython3(str(error)) from error
    except (RecursionError, MemoryError) as error:
        raise NotPython3("nested too deeply") from error
