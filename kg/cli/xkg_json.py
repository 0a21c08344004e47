"""`xkg export xkg-json`: the graph as the JSON graphs of the xKG project."""

from pathlib import Path

import click

from kg.cli.common import emit, json_option
from kg.config import load_settings
from kg.opening import open_store
from kg.xkg_json import write_graphs

__all__ = ["export_xkg_json"]


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
