"""The local server: seconds to the first transaction cold and warm, seconds to stop, and its memory.

Cold is the first start of a new home without a class archive, the password's first setting included; plain is a later
start without the archive; warm is a later start with it, the everyday case. Each also tells the processor seconds that
the server had used when it first answered, which a busy machine changes less. Run `xkg setup` before.
"""

import json
import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import click
import psutil

from kg.config import Settings, load_settings
from kg.opening import open_store
from kg.server import LocalServer
from kg.server.archive import archive_arguments
from kg.server.java import find_java


@dataclass(frozen=True)
class Round:
    """One start, a schema check or migration, an attach and a stop."""

    start_s: float
    start_cpu_s: float
    attach_ms: float
    store_s: float
    stop_s: float
    server_peak_mb: float
    supervisor_mb: float


def peak_mb(pid: int) -> float:
    """The most resident memory a process ever had (Linux), else what it has now; in MB."""
    status = Path(f"/proc/{pid}/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1e3
    return psutil.Process(pid).memory_info().rss / 1e6


def one_round(settings: Settings, archive: Sequence[str]) -> Round:
    """Start, use and stop the server of a home."""
    server = LocalServer(settings, archive=archive)
    began = time.perf_counter()
    running = server.ensure()
    started = time.perf_counter()
    cpu = psutil.Process(running.server_pid).cpu_times()
    server.ensure()
    attached = time.perf_counter()
    with open_store(settings):
        opened = time.perf_counter()
    memory = peak_mb(running.server_pid), peak_mb(running.supervisor_pid)
    stopping = time.perf_counter()
    server.stop()
    return Round(
        start_s=started - began,
        start_cpu_s=cpu.user + cpu.system,
        attach_ms=1000 * (attached - started),
        store_s=opened - attached,
        stop_s=time.perf_counter() - stopping,
        server_peak_mb=memory[0],
        supervisor_mb=memory[1],
    )


def measure(rounds: int) -> dict[str, Any]:
    """Cold once, plain once, warm `rounds` times (medians), in a home of its own."""
    settings = load_settings()
    load = os.getloadavg()[0]
    with_archive = archive_arguments(settings.cache, find_java())
    with tempfile.TemporaryDirectory(prefix="xkg-bench-") as folder:
        own = settings.replace(home=Path(folder), neo4j__uri=None, server__idle_minutes=10.0)
        cold, plain = one_round(own, []), one_round(own, [])
        warm = [one_round(own, with_archive) for _ in range(rounds)] if with_archive else []
    result: dict[str, Any] = {"load": load, "processors": os.cpu_count(), "class_archive": bool(with_archive)}
    for name, values in {"cold": [cold], "plain": [plain], "warm": warm}.items():
        if values:
            result[name] = {key: round(median(getattr(one, key) for one in values), 2) for key in vars(cold)}
    return result


@click.command(help=__doc__)
@click.option("--rounds", default=3, show_default=True, help="Warm starts, of which the median is told.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(rounds: int, as_json: bool) -> None:
    """Measure and print."""
    result = measure(rounds)
    if as_json:
        click.echo(json.dumps(result, indent=2))
        return
    click.echo(f"load {result['load']:.1f} on {result['processors']} processors")
    for name in ("cold", "plain", "warm"):
        for key, value in result.get(name, {}).items():
            click.echo(f"{name:6} {key:16} {value:9.2f}")


if __name__ == "__main__":
    main()
