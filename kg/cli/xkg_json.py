"""`xkg import xkg-json` and `xkg export xkg-json`: the JSON graphs of the xKG project."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from kg.cli.common import emit, json_option, log
from kg.config import load_settings
from kg.embeddings import open_embedder
from kg.embeddings.nodes import embed_record
from kg.errors import InputError, PartialError, XkgError
from kg.models.record import PaperRecord
from kg.opening import open_store
from kg.verdicts import open_logs
from kg.write import write_paper
from kg.xkg_json import read_graph, write_graphs

__all__ = ["export_xkg_json", "import_xkg_json"]


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@json_option
def import_xkg_json(path: Path, dry_run: bool, as_json: bool) -> None:
    """Read xKG's JSON graphs into the graph: one file, or all *.json files of a folder.

    Code comes in as unverified, whatever a file claims of it. Importing again changes nothing.
    """
    files = _files(path)
    settings = load_settings()
    rows: list[dict[str, Any]] = []
    failed: list[str] = []
    papers: dict[str, str] = {}
    embedder = open_embedder(settings)
    with open_store(settings) as store:
        for file in files:
            try:
                record = _read(file, papers)
                vectors = embed_record(record, embedder)
                record = record.model_copy(update={"vectors": vectors})
                changes = write_paper(store, record, dry_run=dry_run, logs=open_logs(settings))
            except InputError as error:
                if path.is_file():
                    raise
                log.print(f"xkg: {error}", markup=False)
                failed.append(file.name)
                rows.append({"file": file.name, "status": "failed", "error": str(error)})
                continue
            rows.append(
                {
                    "file": file.name,
                    "status": "unchanged" if changes.empty else "would change" if dry_run else "written",
                    "id": record.paper.id,
                    "title": record.paper.title,
                    "techniques": sum(1 for _ in record.techniques.walk()),
                    "code": len(record.units),
                    "references": len(record.doc.bibliography),
                    **changes.counts(),
                }
            )
            log.print(changes.summary(), markup=False)
    emit({"files": rows}, as_json=as_json, text=lambda: _summary(rows))
    if failed:
        _raise_partial(failed, len(files))


def _read(file: Path, papers: dict[str, str]) -> PaperRecord:
    record = read_graph(file)
    if (other := papers.setdefault(record.paper.id, file.name)) != file.name:
        raise InputError(
            f"{file.name} and {other} are graphs of one paper ({record.paper.title!r})", remedy="keep one of them"
        )
    return record


def _files(path: Path) -> Sequence[Path]:
    if path.is_file():
        return [path]
    files = sorted(file for file in path.iterdir() if file.suffix == ".json")
    if not files:
        raise InputError("the folder has no .json file", where=str(path), remedy="give a folder of xKG graphs")
    return files


def _summary(rows: Sequence[dict[str, Any]]) -> str:
    done = [row for row in rows if row["status"] != "failed"]
    counts = {key: sum(row[key] for row in done) for key in ("techniques", "code", "references")}
    changed = sum(row["status"] != "unchanged" for row in done)
    listed = ", ".join(f"{number} {key}" for key, number in counts.items())
    return f"{len(done)} of {len(rows)} files: {listed}; {changed} papers changed"


def _raise_partial(failed: Sequence[str], total: int) -> None:
    what = f"{len(failed)} of {total} files could not be imported: {', '.join(failed[:5])}"
    kind: type[XkgError] = PartialError if len(failed) < total else InputError
    raise kind(what + (" …" if len(failed) > 5 else ""), remedy="mend them and import again; the others are done")


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--paper", "papers", multiple=True, metavar="ID", help="Only this paper; may be repeated.")
@click.option("--include-unlicensed", is_flag=True, help="Also write code whose source states no licence.")
@json_option
def export_xkg_json(folder: Path, papers: tuple[str, ...], include_unlicensed: bool, as_json: bool) -> None:
    """Write the graph's papers as xKG's JSON graphs into FOLDER, one file each."""
    with open_store(load_settings()) as store:
        written = list(write_graphs(store, folder, papers=papers or None, unlicensed=include_unlicensed))

    def text() -> str:
        lines = [f"{len(written)} papers written to {folder}"]
        if withheld := sum(graph.withheld for graph in written):
            lines.append(f"{withheld} pieces of code without a licence left out; --include-unlicensed writes them")
        return "\n".join(lines)

    emit({"folder": str(folder), "files": written}, as_json=as_json, text=text)
