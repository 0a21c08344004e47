"""The sandboxes: milliseconds from asking to the result of a program that does nothing, against the bare tool.

Bare are Python alone, the same bubblewrap called by hand with its namespaces and nothing else, and the same container
by the docker client's `run`. All are tried in turn, round by round, so that a busy machine slows all alike: the ratios
are to be compared, not the milliseconds.
"""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import click

from agents.execution.sandbox import Limits, RunSpec, SandboxError, open_sandbox
from agents.execution.sandbox.bubblewrap import BubblewrapSandbox
from agents.execution.sandbox.interpreter import find_interpreter
from kg.config import load_settings

NOTHING = ("-c", "pass")
SPEC = RunSpec(argv=("python3", *NOTHING), limits=Limits(wall=60))


def candidates() -> tuple[dict[str, Callable[[], object]], dict[str, str]]:
    """What can be started here by name, and why the others can't."""
    interpreter = find_interpreter()
    python = str(interpreter.prefix / interpreter.name)
    found: dict[str, Callable[[], object]] = {"python": lambda: _call(python, *NOTHING)}
    absent = {}
    try:
        box = open_sandbox(load_settings(), "bubblewrap")
        assert isinstance(box, BubblewrapSandbox)
        program = str(box.program.path)
        options = ("--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--unshare-all", "--die-with-parent")
        found["bwrap"] = lambda: _call(program, *options, python, *NOTHING)
        found["bubblewrap"] = lambda: box.run(SPEC)
        polled = BubblewrapSandbox(box.program, groups=False)
        found["bubblewrap, polled"] = lambda: polled.run(SPEC)
    except SandboxError as error:
        absent["bubblewrap"] = error.what
    try:
        docker = open_sandbox(load_settings(), "docker")
        found["docker"] = lambda: docker.run(SPEC)
        if client := shutil.which("docker"):
            from agents.execution.sandbox.docker_image import IMAGE

            mount = f"{interpreter.prefix}:{interpreter.prefix}:ro"
            words = ("run", "--rm", "--init", "--network", "none", "-v", mount)
            found["docker run"] = lambda: _call(client, *words, IMAGE, python, *NOTHING)
    except SandboxError as error:
        absent["docker"] = error.what
    return found, absent


def _call(*argv: str) -> None:
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)


def measure(rounds: int) -> dict[str, Any]:
    """Medians of `rounds` in milliseconds, and the ratios of each sandbox to Python and to its bare tool."""
    found, absent = candidates()
    load = os.getloadavg()[0]
    times: dict[str, list[float]] = {name: [] for name in found}
    for number in range(rounds + 1):
        for name, start in found.items():
            began = time.perf_counter()
            start()
            if number:  # the first is to warm up
                times[name].append(1000 * (time.perf_counter() - began))
    medians = {name: median(values) for name, values in times.items()}
    bare = {"bubblewrap": "bwrap", "bubblewrap, polled": "bwrap", "docker": "docker run"}
    return {
        "load": load,
        "processors": os.cpu_count(),
        "rounds": rounds,
        "ms": {name: round(value, 1) for name, value in medians.items()},
        "to_python": {name: round(value / medians["python"], 2) for name, value in medians.items()},
        "to_bare": {
            name: round(medians[name] / medians[tool], 2)
            for name, tool in bare.items()
            if name in medians and tool in medians
        },
        "absent": absent,
    }


@click.command(help=__doc__)
@click.option("--rounds", type=click.IntRange(1), default=20, show_default=True, help="Starts of each.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(rounds: int, as_json: bool) -> None:
    """Measure and print."""
    result = measure(rounds)
    if as_json:
        click.echo(json.dumps(result, indent=2))
        return
    for name, value in result["ms"].items():
        told = f"{name:<20} {value:8.1f} ms  {result['to_python'][name]:5.2f} x Python"
        against = result["to_bare"].get(name)
        click.echo(told + (f"  {against:5.2f} x the bare tool" if against else ""))
    for name, reason in result["absent"].items():
        click.echo(f"{name:<20} {reason}")


if __name__ == "__main__":
    main()
