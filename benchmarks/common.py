"""What the quality benchmarks share: papers laid out in a folder, hand labels, and when a unit counts as right."""

import json
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Label", "PaperFolder", "around", "by_paper", "covers", "hit", "labels", "papers", "percent", "tex_source"]

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
    """One hand label. `code` is (file, symbol) of the right unit, None if the repository does not implement it;
    `also` are other units that an expert would accept."""

    paper: str
    technique: str
    aliases: tuple[str, ...]
    kind: str
    central: bool
    tex_file: str
    tex_line: int
    code: tuple[str, str] | None
    also: tuple[tuple[str, str], ...]


def papers(folder: Path) -> Iterator[PaperFolder]:
    """The papers of ``folder/corpus.toml``, or, without that file, of every ``<slug>/latex`` below `folder`."""
    listing = folder / "corpus.toml"
    if listing.is_file():
        tables: dict[str, dict[str, Any]] = tomllib.loads(listing.read_text("utf-8"))
    else:
        tables = {p.parent.name: {} for p in sorted(folder.glob("*/latex"))}
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
        found.append(Label(**fixed, aliases=tuple(row["aliases"]), code=code, also=also))
    return found


def by_paper(folder: Path, file: Path) -> list[tuple[PaperFolder, list[Label]]]:
    """Each labelled paper of `folder` that has code, with its labels in the order of `file`.

    Labelled papers without code there are named on stderr.
    """
    of_paper: dict[str, list[Label]] = defaultdict(list)
    for label in labels(file):
        of_paper[label.paper].append(label)
    found = [(paper, of_paper[paper.slug]) for paper in papers(folder) if paper.slug in of_paper and paper.code]
    for slug in sorted(of_paper.keys() - {paper.slug for paper, _ in found}):
        print(f"{slug}: labelled, but {folder} holds no code of it; left out", file=sys.stderr)
    return found


def tex_source(paper: PaperFolder) -> str:
    """All LaTeX below the paper's folder, by path."""
    return "\n".join(f.read_text("utf-8", errors="replace") for f in sorted(paper.latex.rglob("*.tex")))


def percent(share: float) -> str:
    """A share between 0 and 1 for a table."""
    return f"{100 * share:5.1f}"


def around(label: Label, latex: Path, before: int = 0) -> str:
    """The LaTeX from `before` lines above `tex_line` to `LINES` below it, "" if the file is not there."""
    file = latex / label.tex_file
    if not file.is_file():
        return ""
    lines = file.read_text("utf-8", errors="replace").splitlines()
    first = label.tex_line - 1
    return "\n".join(lines[max(0, first - before) : first + LINES + 1])


def hit(a: tuple[str, str], b: tuple[str, str]) -> bool:
    """The same file, and the same dotted symbol or one that contains the other (Class and Class.method)."""
    return a[0] == b[0] and (a[1] == b[1] or a[1].startswith(b[1] + ".") or b[1].startswith(a[1] + "."))


def covers(label: Label, unit: tuple[str, str], *, strict: bool = False) -> bool:
    """`unit` is what the label names, or one of its `also`; strictly, or by `hit`."""
    rights = (label.code, *label.also) if label.code else ()
    return any(unit == right if strict else hit(unit, right) for right in rights)
