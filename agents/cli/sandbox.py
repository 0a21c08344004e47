"""`xkg sandbox run`: anything in a sandbox, which is what people try first."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, cast, get_args

import click
from pydantic import ValidationError

from agents.cli.sandbox_inputs import SIZE, mounts, read_inputs, variables
from agents.execution.sandbox import Limits, Protection, Result, RunSpec, open_sandbox
from kg.cli.common import FiniteRange, emit, json_option, log, printable
from kg.config import load_settings
from kg.errors import InputError

__all__ = ["end_like", "named_backend", "sandbox_run"]

TIMED_OUT = 124
SIGNALLED = 128
WAIVABLE = sorted({name for part in get_args(Protection) for name in (get_args(part) or (part,))})


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    path = click.Path(path_type=Path)
    for option in reversed(
        (
            click.option("--backend", type=click.Choice(["docker", "bubblewrap"]), help="This one or none."),
            click.option("--time", "wall", type=FiniteRange(0, min_open=True), help="Seconds on the clock."),
            click.option("--cpu", type=FiniteRange(0, min_open=True), help="Seconds of processor, in all."),
            click.option("--memory", type=SIZE, help="MiB of memory, in all; 512, 512M or 2G."),
            click.option("--pids", type=click.IntRange(1), help="Processes and threads at once."),
            click.option("--disk", type=SIZE, help="MiB written to the working folder."),
            click.option("--output", type=SIZE, help="MiB of stdout, and of stderr."),
            click.option("--ro", "read_only", multiple=True, type=path, help="Seen at the same path, read-only."),
            click.option("--in", "inputs", multiple=True, type=path, help="A file to put into the working folder."),
            click.option("--stdin", type=click.File("rb"), help="What the command reads; nothing by default."),
            click.option("--env", "environment", multiple=True, metavar="NAME=VALUE", help="A variable to set."),
            click.option("--python", type=path, help="The interpreter that `python3` is, instead of xkg's own."),
            click.option("--keep", type=path, help="An empty or new folder to copy the outputs to."),
            click.option("--waive", multiple=True, type=click.Choice(WAIVABLE), help="Run even if this can't be had."),
            click.option("--unsafe-local", is_flag=True, help="No sandbox: the command may do all that you may."),
        )
    ):
        command = option(command)
    return command


@click.command(context_settings={"allow_interspersed_args": False})
@_options
@json_option
@click.argument("argv", nargs=-1, required=True, type=click.UNPROCESSED)
def sandbox_run(argv: tuple[str, ...], as_json: bool, backend: str | None, unsafe_local: bool, **given: Any) -> None:
    """Run a command that nobody vouches for: `xkg sandbox run --in FILE -- python3 FILE`.

    It starts in an empty working folder with the files of --in, finds `python3`, and has no network, no environment and
    nothing of this machine but /usr and what --ro names. All that it writes to the working folder is an output.

    What it prints is printed, without what would steer a terminal (--json escapes that, a file of --keep has it as it
    is), and its exit code is xkg's: 128 + n after signal n (so 137 when it was killed at a
    limit), 124 when its time was up. With --json the exit code is 0 whenever the run took place. 2: these options can't
    be, 3: no sandbox works here.
    """
    backend = named_backend(backend, unsafe_local)
    settings = load_settings()
    spec = _spec(argv, given, mounts(settings, given["read_only"]))
    result = open_sandbox(settings, backend).run(spec)
    if as_json:
        emit(result, as_json=True, text=str)
        return
    end_like(result)


def named_backend(backend: str | None, unsafe_local: bool) -> str | None:
    """The backend that is asked for; says loudly if it protects nothing. Raises InputError for two at once."""
    if not unsafe_local:
        return backend
    if backend:
        raise InputError("--unsafe-local and --backend exclude each other", remedy="leave one out")
    log.print("[bold red]UNSAFE:[/] code runs without a sandbox and may do all that you may")
    return "unsafe-local"


def _spec(argv: tuple[str, ...], given: dict[str, Any], read_only: dict[str, Path]) -> RunSpec:
    names = ("wall", "cpu", "memory", "pids", "disk", "output")
    keep: Path | None = given["keep"]
    if keep is not None and keep.exists() and (not keep.is_dir() or any(keep.iterdir())):
        raise InputError(f"{keep} is not an empty folder", remedy="name an empty or new folder for --keep")
    try:
        return RunSpec(
            argv=argv,
            files=read_inputs(given["inputs"]),
            read_only=read_only,
            environment=variables(given["environment"]),
            python=given["python"],
            stdin=given["stdin"].read() if given["stdin"] else b"",
            limits=Limits.model_validate({name: given[name] for name in names if given[name] is not None}),
            waive=frozenset(cast("tuple[Protection, ...]", given["waive"])),
            keep=keep.absolute() if keep else None,
        )
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(f"{place}: {first['msg']}", remedy="see `xkg sandbox run --help`") from error


def end_like(result: Result) -> NoReturn:
    """Print what it printed and exit as it did: with its code, 128 + n after signal n, or 124 when its time was up.

    Nothing in it steers a terminal, also where it first goes through a pipe or a file.
    """
    for text, stream in ((result.stdout, sys.stdout), (result.stderr, sys.stderr)):
        click.echo(printable(text.replace("\r\n", "\n")), file=stream, nl=False)
    if result.limit:
        log.print(f"xkg: ended at its limit of {result.limit}")
    if result.waived:
        log.print(f"xkg: not protected here: {', '.join(result.waived)}")
    if result.limit == "wall":
        sys.exit(TIMED_OUT)
    if result.exit_code is not None and (result.exit_code or not result.limit):
        sys.exit(result.exit_code)
    sys.exit(SIGNALLED + (result.signal or 9))
