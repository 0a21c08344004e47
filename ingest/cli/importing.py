"""`xkg import xkg-json`: the JSON graphs of the xKG project, from the disk or from a repository."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ingest.acquire import acquire_repository
from ingest.acquire.folders import walk_files
from ingest.acquire.identifiers import parse_github
from kg.cli.common import emit, json_option, log
from kg.concepts import ConceptChanges, refresh_concepts
from kg.config import Settings, load_settings
from kg.embeddings import open_embedder
from kg.embeddings.nodes import embed_record
from kg.errors import InputError, PartialError, XkgError
from kg.models.record import PaperRecord
from kg.opening import open_store
from kg.verdicts import open_logs
from kg.write import write_paper
from kg.xkg_json import is_graph, read_graph

__all__ = ["import_xkg_json"]


@click.command()
@click.argument("source")
@click.option("--refresh", is_flag=True, help="Ask GitHub again where SOURCE was fetched before.")
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@json_option
def import_xkg_json(source: str, refresh: bool, dry_run: bool, as_json: bool) -> None:
    """Read xKG's JSON graphs into the graph: one file, all *.json files of a folder, or those of a repository.

    SOURCE is a path, or owner/name[@commit] on GitHub: of a repository all files that are such graphs are read,
    wherever they lie. Code comes in as unverified, whatever a file claims of it. Techniques that other papers have too
    are joined with theirs by concepts. Importing again changes nothing.
    """
    settings = load_settings()
    files = _files(source, settings, refresh=refresh)
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
                if len(files) == 1:
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
        concepts = ConceptChanges() if dry_run else refresh_concepts(store)
    emit({"files": rows, "concepts": concepts.counts()}, as_json=as_json, text=lambda: _summary(rows, concepts))
    if failed:
        _raise_partial(failed, len(files))


def _read(file: Path, papers: dict[str, str]) -> PaperRecord:
    record = read_graph(file)
    if (other := papers.setdefault(record.paper.id, file.name)) != file.name:
        raise InputError(
            f"{file.name} and {other} are graphs of one paper ({record.paper.title!r})", remedy="keep one of them"
        )
    return record


def _files(source: str, settings: Settings, *, refresh: bool) -> Sequence[Path]:
    """The files to read. Raises InputError where there is none, RemoteError or ServiceError for a repository."""
    path = Path(source)
    if path.is_file():
        return [path]
    if not path.exists():
        if path.suffix == ".json" or not parse_github(source):
            raise InputError(f"there is no file or folder {source}", remedy="give one, or owner/name on GitHub")
        return _graphs(acquire_repository(source, settings, refresh=refresh).folder, source)
    files = sorted(file for file in path.iterdir() if file.suffix == ".json")
    if not files:
        raise InputError("the folder has no .json file", where=str(path), remedy="give a folder of xKG graphs")
    return files


def _graphs(folder: Path, source: str) -> Sequence[Path]:
    """The files of a repository that are graphs: other JSON is none of ours."""
    found = [folder / name for name, _ in walk_files(folder) if name.endswith(".json") and is_graph(folder / name)]
    if not found:
        raise InputError(f"{source} has no xKG graphs", remedy="name a repository with such .json files")
    return sorted(found)


def _summary(rows: Sequence[dict[str, Any]], concepts: ConceptChanges) -> str:
    done = [row for row in rows if row["status"] != "failed"]
    counts = {key: sum(row[key] for row in done) for key in ("techniques", "code", "references")}
    changed = sum(row["status"] != "unchanged" for row in done)
    listed = ", ".join(f"{number} {key}" for key, number in counts.items())
    joined = f"; {len(concepts.added)} concepts added, {len(concepts.removed)} removed" if not concepts.empty else ""
    return f"{len(done)} of {len(rows)} files: {listed}; {changed} papers changed{joined}"


def _raise_partial(failed: Sequence[str], total: int) -> None:
    what = f"{len(failed)} of {total} files could not be imported: {', '.join(failed[:5])}"
    kind: type[XkgError] = PartialError if len(failed) < total else InputError
    raise kind(what + (" …" if len(failed) > 5 else ""), remedy="mend them and import again; the others are done")
