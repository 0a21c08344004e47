"""`xkg section|equation|algorithm|table show ID`, `xkg paper read ID`, `xkg search equations QUERY`."""

from collections.abc import Iterator, Sequence

import click

from kg.body import in_order, passages, section_of
from kg.cli.common import emit, json_option
from kg.cli.search_filters import exclude_options
from kg.cli.show_text import joined, names, wrapped
from kg.config import load_settings
from kg.excluding import Excluded
from kg.lookup import Label, find_node
from kg.opening import open_store
from kg.results.piece import BodyPart, FoundEquation, ShownPiece
from kg.search.equations import find_equations

__all__ = ["algorithm_show", "equation_show", "paper_read", "search_equations", "section_show", "table_show"]


def _showing(label: Label, what: str) -> click.Command:
    @click.command(help=f"Show {what}\n\nID may be the end of an id (a label or a number), if only one has it.")
    @click.argument("piece_id", metavar="ID")
    @json_option
    def command(piece_id: str, as_json: bool) -> None:
        with open_store(load_settings()) as store:
            node = find_node(store, label, piece_id)
            (piece,) = store.rows(ShownPiece, id=node, label=label)
        emit(piece, as_json=as_json, text=lambda: _piece_text(piece), withheld=store.withheld)

    return command


section_show = _showing("Section", "a section: its text, and what stands in it and is described there.")
equation_show = _showing("Equation", "an equation: LaTeX, the sentence around it, the techniques that it describes.")
algorithm_show = _showing("Algorithm", "an algorithm as it is printed, and the techniques that it describes.")
table_show = _showing("Table", "a table: caption and LaTeX, and the sections that refer to it.")


@click.command()
@click.argument("paper_id", metavar="ID")
@click.option("--section", help="Only this section, with those in it: its number, title or id.")
@json_option
def paper_read(paper_id: str, section: str | None, as_json: bool) -> None:
    """Print what a paper says, section by section, with its equations, algorithms and tables in LaTeX."""
    with open_store(load_settings()) as store:
        node = find_node(store, "Paper", paper_id)
        parts = in_order(store.rows(BodyPart, id=node))
    read = parts if section is None else section_of(parts, section)
    value = {
        "id": node,
        "sections": [
            {**part.model_dump(exclude={"pieces", "order"}), "passages": [vars(passage) for passage in passages(part)]}
            for part in read
        ],
    }
    emit(value, as_json=as_json, text=lambda: "\n".join(_body_text(read)), withheld=store.withheld)


@click.command()
@click.argument("query", nargs=-1)
@click.option("-n", "--limit", default=10, show_default=True, type=click.IntRange(1, 200), help="Most hits.")
@exclude_options
@json_option
def search_equations(query: Sequence[str], limit: int, as_json: bool, excluded: Excluded) -> None:
    """Find equations by their symbols, in LaTeX or as they read, and by the words of the sentence around them."""
    text = " ".join(query)
    with open_store(load_settings()) as store:
        store.blacklist = excluded.from_(store)
        hits = find_equations(store, text, limit=limit)
    value = {"query": text, "hits": [hit.model_dump() for hit in hits]}
    emit(value, as_json=as_json, text=lambda: "\n\n".join(map(_hit_text, hits)) or "nothing", withheld=store.withheld)


def _hit_text(hit: FoundEquation) -> str:
    lines = [joined(hit.name, hit.id), *wrapped(hit.context or hit.text, "    ")]
    lines += wrapped(joined(hit.section and hit.section.name, hit.paper_title), "    ")
    lines += wrapped(f"describes {names(hit.techniques)}", "    ") if hit.techniques else []
    return "\n".join(lines)


def _piece_text(piece: ShownPiece) -> str:
    lines = [piece.name, joined(piece.kind, piece.id), *wrapped(f"of {piece.paper_title or piece.paper}")]
    lines += [f"in {piece.section.name}"] if piece.section else []
    lines.append(f"{piece.file}:{piece.start}-{piece.end}")
    lines += ["", *wrapped(piece.caption)] if piece.caption else []
    lines += ["", piece.latex] if piece.latex else []
    lines += ["", *wrapped(piece.text)] if piece.text else []
    lines += ["", *wrapped(f"“{piece.context}”")] if piece.context else []
    lines.append("")
    inside = [f"  {inner.kind} {inner.name} ({inner.id})" for inner in piece.pieces]
    lines += ["holds", *inside] if inside else []
    for title, others in (("describes", piece.techniques), ("referred to by", piece.referred_by)):
        lines += wrapped(f"{title} {names(others)}") if others else []
    return "\n".join(lines)


def _body_text(parts: Sequence[BodyPart]) -> Iterator[str]:
    for part in parts:
        yield f"{part.number} {part.title}".strip()
        yield ""
        for passage in passages(part):
            if passage.kind == "text":
                for paragraph in passage.text.split("\n\n"):
                    yield from (*wrapped(paragraph), "")
                continue
            yield f"[{passage.kind} {passage.id}]"
            yield from wrapped(passage.caption)
            yield from (passage.text, "") if passage.kind != "figure" else ("",)
