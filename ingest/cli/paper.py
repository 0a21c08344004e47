"""`xkg paper parse` and `xkg paper techniques`: a paper read without touching a database."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from kg.cli.common import emit, json_option, log

if TYPE_CHECKING:
    from ingest.latex import ParsedPaper
    from kg.models.paper import Model, PaperDoc
    from kg.models.technique import Technique

__all__ = ["paper_parse", "paper_techniques"]

M = TypeVar("M", bound="Model")


def _parse(path: Path, main: str | None) -> ParsedPaper:
    from ingest.acquire import acquire_paper
    from ingest.latex import parse_paper
    from kg.config import load_settings
    from kg.errors import InputError

    source = acquire_paper(str(path), load_settings(), main=main)
    for warning in source.warnings:
        log.print(f"warning: {warning}", markup=False)
    if source.folder is None:
        raise InputError(f"{path} holds no LaTeX", remedy="give a folder, an archive or a .tex file")
    return parse_paper(source.folder, main or source.main)


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
        yield f"{'  ' * depth}{item.name}{aliases}  [{item.kind}, {item.score:.2f}]"
        yield from _tree(item.children, depth + 1)


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--main", help="The root .tex file, relative to the source folder; found by itself otherwise.")
@json_option
def paper_parse(path: Path, main: str | None, as_json: bool) -> None:
    """Read the LaTeX of PATH (a folder, an archive or a .tex file) and print what it holds."""
    doc = _masked(_parse(path, main).doc)
    emit(doc, as_json=as_json, text=lambda: "\n".join(_summary(doc)))


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--main", help="The root .tex file, relative to the source folder; found by itself otherwise.")
@json_option
def paper_techniques(path: Path, main: str | None, as_json: bool) -> None:
    """Print the tree of techniques in the LaTeX of PATH (a folder, an archive or a .tex file)."""
    from ingest.extract import StructuralExtractor

    tree = _masked(StructuralExtractor().extract(_parse(path, main)))
    emit(tree.items, as_json=as_json, text=lambda: "\n".join(_tree(tree.items)))
