"""Lines of Python by room, tests, benchmarks and examples left out: ``python -m benchmarks.lines [--json]``.

Counted by git in the files that it tracks, so the same tree gives the same figures everywhere.
"""

import json
import subprocess
from collections import Counter
from pathlib import Path, PurePosixPath

import click

__all__ = ["lines_by_room", "room"]

ROOT = Path(__file__).parent.parent
APART = ("tests", "benchmarks", "examples")


def room(path: PurePosixPath) -> str:
    """The part of the product that a file belongs to: its top folder, of agents and ingest the package below."""
    first, *rest = path.parts
    return f"{first}/{rest[0]}" if first in ("agents", "ingest") and len(rest) > 1 else first


def lines_by_room(root: Path = ROOT) -> dict[str, int]:
    """Lines of each room below `root`, a git work tree, by name, and ``all``."""
    command = ["git", "-C", str(root), "grep", "--no-color", "-c", "", "--", "*.py", *(f":!{name}" for name in APART)]
    counted = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    found: Counter[str] = Counter()
    for line in counted.splitlines():
        path, _, count = line.rpartition(":")
        found[room(PurePosixPath(path))] += int(count)
    return dict(sorted(found.items())) | {"all": found.total()}


@click.command(help=__doc__)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(as_json: bool) -> None:
    """Count and print."""
    found = lines_by_room()
    click.echo(json.dumps(found, indent=2) if as_json else "\n".join(f"{n:22}{lines:7,}" for n, lines in found.items()))


if __name__ == "__main__":
    main()
