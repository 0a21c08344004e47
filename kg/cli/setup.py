"""`xkg setup`: everything later commands need, fetched and made once."""

import click
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

from kg.cli.common import emit, json_option, log
from kg.config import load_settings

__all__ = ["setup"]


@click.command()
@json_option
def setup(as_json: bool) -> None:
    """Fetch and prepare all that later commands need, so that they work offline. Doing it twice changes nothing."""
    from kg.server import install

    settings = load_settings()
    columns = (TextColumn("Neo4j"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=log, transient=True, disable=not log.is_terminal) as bar:
        task = bar.add_task("jars", total=None)
        server = install(settings, lambda there, total: bar.update(task, completed=there, total=total))
    result = {
        "cache": str(settings.cache),
        "server": {
            "jars": server.jars,
            "fetched": server.fetched,
            "java": server.java.version,
            "java_source": server.java.source,
            "archive_made": server.archive_made,
            "seconds": round(server.seconds, 1),
        },
    }
    emit(result, as_json=as_json, text=lambda: str(result))
