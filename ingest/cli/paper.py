"""`xkg paper parse` and `xkg paper techniques`: a paper read without touching a database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from kg.cli.common import emit, json_option, log

if TYPE_CHECKING:
    from ingest.extract.comparing import Comparison
    from ingest.latex import ParsedPaper
    from kg.models.paper import Model, PaperDoc
    from kg.models.technique import Technique

__all__ = ["paper_parse", "paper_techniques"]

M = TypeVar("M", bound="Model")


def _parse(path: Path, main: str | None) -> tuple[ParsedPaper, str]:
    """The paper, and the id that it has."""
    from ingest.acquire import acquire_paper
    from ingest.latex import parse_paper
    from kg.config import load_settings
    from kg.errors import InputError

    source = acquire_paper(str(path), load_settings(), main=main)
    for warning in source.warnings:
        log.print(f"warning: {warning}", markup=False)
    if source.folder is None:
        raise InputError(f"{path} holds no LaTeX", remedy="give a folder, an archive or a .tex file")
    return parse_paper(source.folder, main or source.main), source.paper_id


def _masked(value: M) -> M:
    """The same with no text in it that the blacklist forbids."""
    from kg.blacklist import open_blacklist
    from kg.config import load_settings

    blacklist = open_blacklist(load_settings())
    return type(value).model_validate(blacklist.mask_all(value.model_dump())) if blacklist else value


def _summary(doc: PaperDoc) -> Iterable[str]:
    """The paper on one screen: front matter, section tree, counts, warnings."""
    yield doc.title or "(no title)"
    yield ", ".join(doc.authors) or "(no authors)"
    yield ""
    if doc.abstract:
        yield doc.abstract
        yield ""
    for section in doc.sections:
        yield "  " * max(0, section.level - 1) + f"{section.number}  {section.title}".strip()
    yield ""
    kinds = ("sections", "paragraphs", "equations", "algorithms", "figures", "tables", "theorems", "citations")
    counts = [f"{len(getattr(doc, kind))} {kind}" for kind in (*kinds, "bibliography")]
    yield f"{doc.main}: " + ", ".join(counts).replace("bibliography", "bibliography entries")
    for warning in doc.warnings:
        yield f"warning: {warning.file} byte {warning.start}: {warning.message}"


def _tree(items: Iterable[Technique], depth: int = 0) -> Iterable[str]:
    for item in items:
        aliases = f" ({', '.join(item.aliases)})" if item.aliases else ""
        status = f", {item.status}" if item.status else ""
        yield f"{'  ' * depth}{item.name}{aliases}  [{item.kind}{status}, {item.score:.2f}]"
        yield from _tree(item.children, depth + 1)


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--main", help="The root .tex file, relative to the source folder; found by itself otherwise.")
@json_option
def paper_parse(path: Path, main: str | None, as_json: bool) -> None:
    """Read the LaTeX of PATH (a folder, an archive or a .tex file) and print what it holds."""
    doc = _masked(_parse(path, main)[0].doc)
    emit(doc, as_json=as_json, text=lambda: "\n".join(_summary(doc)))


@click.command()
@click.argument("path", type=click.Path(path_type=Path), required=False)
@click.option("--main", help="The root .tex file, relative to the source folder; found by itself otherwise.")
@click.option("--profile", help="The model that judges, as xkg.toml calls it. Default: none, structure alone.")
@click.option(
    "--compare", nargs=2, metavar="A B", help="Compare two trees: files written with --json, or profiles asked on PATH."
)
@json_option
def paper_techniques(
    path: Path | None, main: str | None, profile: str | None, compare: tuple[str, str] | None, as_json: bool
) -> None:
    """Print the tree of techniques in the LaTeX of PATH (a folder, an archive or a .tex file).

    With --compare: what two trees of one paper share, under which names and parents, and what only one of them has.
    """
    from ingest.extract.comparing import compare as compared

    if compare and profile:
        raise click.UsageError("--compare names its own profiles")
    if compare:
        left, right = (_read_tree(each) if Path(each).is_file() else _techniques(path, main, each) for each in compare)
        found = compared(left, right)
        value = {**found.model_dump(), "renamed": [match.model_dump() for match in found.renamed]}
        emit(value, as_json=as_json, text=lambda: "\n".join(_comparison(found, *compare)))
        return
    items = _techniques(path, main, profile)
    emit(items, as_json=as_json, text=lambda: "\n".join(_tree(items)))


def _techniques(path: Path | None, main: str | None, profile: str | None) -> tuple[Technique, ...]:
    """The techniques of the paper in `path`, as the model of `profile` judges, or by structure alone without one."""
    from ingest.extract import StructuralExtractor

    if path is None:
        raise click.UsageError("give PATH, the paper, or two files that were written with --json")
    parsed, paper = _parse(path, main)
    tree = StructuralExtractor().extract(parsed)
    if profile is None:
        return _masked(tree).items
    from agents.llm import LLM
    from ingest.extract.judged import JudgedExtractor
    from kg.config import load_settings
    from kg.embeddings import open_embedder

    settings = load_settings()
    judge = JudgedExtractor(LLM(settings, profile), open_embedder(settings), retrieved=settings.techniques.retrieved)
    judged = _masked(judge.judge(parsed, tree, paper))
    log.print(", ".join(f"{value} {name.replace('_', ' ')}" for name, value in judged.figures().items()), markup=False)
    said = Counter(f"not taken: {drop.entry}: {drop.reason} {drop.detail}".rstrip() for drop in judged.drops)
    for line, times in said.items():
        log.print(f"{line} ({times} times)" if times > 1 else line, markup=False)
    return judged.tree.items


def _read_tree(file: str) -> tuple[Technique, ...]:
    """A tree that `xkg paper techniques --json` has written. Raises InputError for another file."""
    from pydantic import TypeAdapter, ValidationError

    from kg.errors import InputError
    from kg.models.technique import Technique

    try:
        return TypeAdapter(tuple[Technique, ...]).validate_json(Path(file).read_bytes())
    except (OSError, ValidationError) as error:
        raise InputError(
            f"{file} holds no techniques", remedy="write it with `xkg paper techniques PATH --json`"
        ) from error


def _comparison(found: Comparison, left: str, right: str) -> Iterable[str]:
    yield f"{len(found.both)} in both, {len(found.only_left)} only in {left}, {len(found.only_right)} only in {right}"
    for title, lines in (
        ("other names", [f"{match.left} → {match.right}" for match in found.renamed]),
        ("other parents", [f"{m.left}: {m.left_parent or '(top)'} → {m.right_parent or '(top)'}" for m in found.moved]),
        (f"only in {left}", found.only_left),
        (f"only in {right}", found.only_right),
    ):
        if lines:
            yield f"{title}:"
            yield from (f"  {line}" for line in lines)
