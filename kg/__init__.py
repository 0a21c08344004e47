"""The graph: models, the Bolt store, migrations, embeddings, search, import and export.

A notebook, or a program of one's own, asks it in three lines::

    import kg
    graph = kg.open()
    graph.technique("reservoir sampling").code
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from kg.notebook import Graph

__all__ = ["open"]


def open(
    *,
    home: "str | Path | None" = None,
    uri: str | None = None,
    username: str | None = None,
    password: str | None = None,
    database: str | None = None,
    unlicensed: bool = False,
) -> "Graph":
    """The graph that `xkg` asks here, only to be read; what is given goes before environment and ``xkg.toml``.

    Nothing is opened before the first question. With `unlicensed`, code whose source states no licence is shown with
    its text. Raises InputError for settings that can't be.
    """
    from kg.notebook import open_graph

    changes = {
        "home": home, "neo4j__uri": uri, "neo4j__username": username, "neo4j__password": password,
        "neo4j__database": database,
    }  # fmt: skip
    return open_graph({key: value for key, value in changes.items() if value is not None}, unlicensed=unlicensed)
