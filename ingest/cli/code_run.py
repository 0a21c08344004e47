"""`xkg code run`: a person runs a piece of the graph's code."""

import click

from kg.cli.common import FiniteRange, emit, json_option, log, printable

__all__ = ["code_run"]


@click.command()
@click.option("--backend", type=click.Choice(["docker", "bubblewrap"]), help="This sandbox. Default: what works.")
@click.option("--unsafe-local", is_flag=True, help="No sandbox: the code may do all that you may.")
@click.option("--time", "seconds", type=FiniteRange(0, min_open=True), default=60.0, show_default=True,
              help="Seconds it may take.")  # fmt: skip
@json_option
@click.argument("code_id", metavar="ID")
@click.argument("arguments", metavar="[-- ARGS]...", nargs=-1, type=click.UNPROCESSED)
def code_run(
    code_id: str, arguments: tuple[str, ...], backend: str | None, unsafe_local: bool, seconds: float, as_json: bool
) -> None:
    """Run a piece of code in the sandbox, with its packages and without network.

    A unit of a repository is imported from its self-contained module; each of ARGS is then run as at Python's prompt,
    with the unit at hand: `xkg code run merge.py#merge -- 'merge([1], [2])'`. Without ARGS it tells what the unit is.
    An imported block is run as it is, implementation and test in one process; ARGS are its arguments.

    What it prints is printed, and its exit code is xkg's: 128 + n after signal n, 124 when its time was over. With
    --json the exit code is 0 whenever it was run.
    """
    from agents.cli.sandbox import end_like, named_backend
    from ingest.verification.running import run_code
    from kg.config import load_settings
    from kg.lookup import find_node
    from kg.opening import open_store
    from kg.results.show import ShownCode

    backend = named_backend(backend, unsafe_local)
    settings = load_settings()
    with open_store(settings) as store:
        (code,) = store.rows(ShownCode, id=find_node(store, "Code", code_id))
    run = run_code(code, settings, arguments, backend, seconds)
    for remark in run.remarks:
        log.print(f"xkg: {printable(remark)}", markup=False)
    result = run.result
    if as_json:
        facts = run.model_dump(mode="json", exclude={"result"})
        emit({**facts, **result.model_dump(mode="json", exclude={"outputs"})}, as_json=True, text=str)
        return
    end_like(result)
