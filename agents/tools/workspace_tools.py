"""Tools for an agent's own run folder. They are no tools of the graph: whoever gives an agent a folder adds them."""

from collections.abc import Callable
from typing import Any

from pydantic import Field

from agents.tools.context import Context
from agents.tools.envelope import Listing, Text
from agents.tools.running import Ran, Runner
from agents.tools.tool import Arguments, Cursor, Hints, Tool
from agents.tools.workspace import Edit
from kg.errors import InputError

__all__ = ["TOOLS"]

WRITES = Hints(read_only=False, destructive=True, idempotent=False)
RUNS = Hints(read_only=True, idempotent=False)


def _runner(context: Context) -> Runner:
    if not isinstance(context.workspace, Runner):
        raise InputError("there is no folder to work in", remedy="only an agent that was given one has these tools")
    return context.workspace


class _List(Arguments):
    cursor: Cursor = 0


def _list(context: Context, asked: _List) -> Listing:
    texts = _runner(context).workspace.texts()
    items = [{"path": path, "lines": len(text.splitlines()), "characters": len(text)} for path, text in texts.items()]
    return Listing(items[asked.cursor :], "files", asked.cursor, len(items))


class _Read(Arguments):
    path: str = Field(max_length=300)
    cursor: Cursor = 0


def _read(context: Context, asked: _Read) -> Text:
    return Text(_runner(context).workspace.read(asked.path), {"path": asked.path}, asked.cursor)


class _Search(Arguments):
    words: str = Field(min_length=1, max_length=500)
    cursor: Cursor = 0


def _search(context: Context, asked: _Search) -> Listing:
    found = _runner(context).workspace.search(asked.words)
    items = [{"path": path, "line": line, "text": text[:300]} for path, line, text in found]
    return Listing(items[asked.cursor :], "lines", asked.cursor, len(items))


class _Apply(Arguments):
    edits: tuple[Edit, ...] = Field(min_length=1, max_length=50)


def _apply(context: Context, asked: _Apply) -> Listing:
    wrong = _runner(context).workspace.apply(asked.edits)
    items = [{"path": path, "beware": wrong.get(path)} for path in dict.fromkeys(edit.path for edit in asked.edits)]
    return Listing(items, "changed", total=len(items))


class _Run(Arguments):
    path: str = Field(max_length=300)
    arguments: tuple[str, ...] = Field((), max_length=20)


def _run(context: Context, asked: _Run) -> Text:
    return _told(_runner(context).script(asked.path, asked.arguments))


class _Test(Arguments):
    paths: tuple[str, ...] = Field((), max_length=50, description="none: all")


def _test(context: Context, asked: _Test) -> Text:
    return _told(_runner(context).tests(asked.paths))


def _told(ran: Ran) -> Text:
    about: dict[str, Any] = {"command": ran.command, "state": ran.state}
    if ran.failure:
        about |= {"failure": ran.failure.kind, "place": ran.failure.line, "message": ran.failure.message}
    return Text(ran.output, about)


class _Verify(Arguments):
    cursor: Cursor = 0


def _verify(context: Context, asked: _Verify) -> Listing:
    found = _runner(context).verdicts()
    items = [{"file": one.file, "symbol": one.symbol, "verdict": one.verdict, "reason": one.reason} for one in found]
    return Listing(items[asked.cursor :], "verdicts", asked.cursor, len(items))


def _tool(name: str, description: str, arguments: type[Arguments], run: Callable[..., Any], hints: Hints) -> Tool:
    return Tool(f"workspace_{name}", description, arguments, run, hints)


TOOLS = (
    _tool("list", "The files of your folder.", _List, _list, Hints()),
    _tool("read", "The text of a file of your folder.", _Read, _read, Hints()),
    _tool("search", "Lines of your files that hold some words.", _Search, _search, Hints()),
    _tool(
        "edit",
        "Change files of your folder, all edits or none: `old` must stand in the file exactly once and becomes `new`; "
        "an empty `old` makes a new file, with `whole` it replaces one.",
        _Apply,
        _apply,
        WRITES,
    ),
    _tool(
        "run", "Run a Python file of your folder in the sandbox, without network; tells how it ended.", _Run, _run, RUNS
    ),
    _tool("test", "Run pytest on your folder in the sandbox.", _Test, _test, RUNS),
    _tool(
        "verify",
        "The verdict of each of your functions and classes: whether your tests notice it when it is made wrong. Slow.",
        _Verify,
        _verify,
        RUNS,
    ),
)
