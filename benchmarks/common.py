"""What the quality benchmarks share: papers laid out in a folder, hand labels, when a unit counts as right, and the
command line of a benchmark that is judged by labels."""

import json
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

__all__ = [
    "LINES",
    "Label",
    "PaperFolder",
    "by_paper",
    "covers",
    "hit",
    "labels",
    "labels_command",
    "papers",
    "percent",
]

FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)

LINES = 18
"""Lines after `tex_line` that belong to a label's place in the paper."""


@dataclass(frozen=True)
class PaperFolder:
    """A paper as `corpus.toml` lays it out: slug, LaTeX folder, main file, and the code folder if it has one."""

    slug: str
    latex: Path
    main: str | None
    code: Path | None


@dataclass(frozen=True)
class Label:
    """One hand label. `code` is (file, symbol) of the right unit, None if the repository does not implement it, and
    `line` where the unit begins (1-based, 0 if not told); `also` are other units that an expert would accept."""

    paper: str
    technique: str
    aliases: tuple[str, ...]
    kind: str
    central: bool
    tex_file: str
    tex_line: int
    code: tuple[str, str] | None
    also: tuple[tuple[str, str], ...]
    line: int = 0


def papers(folder: Path) -> Iterator[PaperFolder]:
    """The papers of ``folder/corpus.toml``, or, without that file, of every folder below `folder` that has LaTeX in
    it or in ``latex`` below it."""
    listing = folder / "corpus.toml"
    tables: dict[str, dict[str, Any]] = {}
    if listing.is_file():
        tables = tomllib.loads(listing.read_text("utf-8"))
    else:
        for place in sorted(folder.iterdir()):
            latex = place / "latex" if (place / "latex").is_dir() else place
            if latex.is_dir() and any(latex.rglob("*.tex")):
                tables[place.name] = {"paper": latex.relative_to(folder)}
    for slug, table in tables.items():
        latex = folder / table.get("paper", f"{slug}/latex")
        places = (folder / str(table.get("repo", f"{slug}/code")), folder / slug / "code")
        yield PaperFolder(slug, latex, table.get("main"), next((place for place in places if place.is_dir()), None))


def labels(file: Path) -> list[Label]:
    """All labels of a JSON-lines file."""
    found = []
    for line in file.read_text("utf-8").splitlines():
        if not line.strip():
            continue
        row = json.loads(line)
        code = (row["code_file"], row["symbol"]) if row["symbol"] else None
        also = tuple((other["file"], other["symbol"]) for other in row["also"])
        fixed = {key: row[key] for key in ("paper", "technique", "kind", "central", "tex_file", "tex_line")}
        found.append(Label(**fixed, aliases=tuple(row["aliases"]), code=code, also=also, line=row["code_line"] or 0))
    return found


def by_paper(folder: Path, file: Path, *, code: bool = True) -> list[tuple[PaperFolder, list[Label]]]:
    """Each labelled paper of `folder`, with its labels in the order of `file`; with `code` only those that have some.

    Labelled papers that are not there, or have no code there, are named on stderr.
    """
    of_paper: dict[str, list[Label]] = defaultdict(list)
    for label in labels(file):
        of_paper[label.paper].append(label)
    found = [
        (paper, of_paper[paper.slug]) for paper in papers(folder) if paper.slug in of_paper and (paper.code or not code)
    ]
    for slug in sorted(of_paper.keys() - {paper.slug for paper, _ in found}):
        print(f"{slug}: labelled, but {folder} holds no {'code' if code else 'LaTeX'} of it; left out", file=sys.stderr)
    return found


def percent(share: float) -> str:
    """A share between 0 and 1 for a table."""
    return f"{100 * share:5.1f}"


def hit(a: tuple[str, str], b: tuple[str, str]) -> bool:
    """The same file, and the same dotted symbol or one that contains the other (Class and Class.method)."""
    return a[0] == b[0] and (a[1] == b[1] or a[1].startswith(b[1] + ".") or b[1].startswith(a[1] + "."))


def covers(label: Label, unit: tuple[str, str], *, strict: bool = False) -> bool:
    """`unit` is what the label names, or one of its `also`; strictly, or by `hit`."""
    rights = (label.code, *label.also) if label.code else ()
    return any(unit == right if strict else hit(unit, right) for right in rights)


def labels_command(
    run: Callable[..., dict[str, Any]], table: Callable[[dict[str, Any]], str], about: str | None,
    *, model: bool = False,
) -> click.Command:  # fmt: skip
    """The command of a benchmark that `run` measures on a folder of papers and a file of labels.

    With `model` it is also given the profile of one that judges, or None.
    """

    @click.command(help=about)
    @click.option("--papers", "folder", type=FOLDER, required=True, help="Papers laid out, with their code.")
    @click.option("--labels", "file", type=FILE, required=True, help="Hand labels, one JSON object a line.")
    @click.option("--json", "as_json", is_flag=True, help="Print JSON.")
    def command(folder: Path, file: Path, as_json: bool, **options: str | None) -> None:
        result = run(folder, file, **options)
        click.echo(json.dumps(result, indent=2) if as_json else table(result))

    asked = click.option("--profile", help="The model that judges, as xkg.toml calls it; none if not given.")
    return asked(command) if model else command
