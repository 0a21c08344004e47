"""Schema of the graph: numbered migrations, whose checksums the graph remembers; and the model of its vectors."""

import cypher
from kg.errors import DatabaseError
from kg.results.graph import BoundIndexInfo, IndexInfo, MigrationRow, VectorIndex
from kg.store import Store, Transaction

__all__ = ["bind_model", "bring_along", "index_info", "migrate", "pending"]

INDEX_SECONDS = 600
VECTOR_LABELS = ("technique", "code", "paper", "section")


def pending(store: Store) -> tuple[cypher.Migration, ...]:
    """Migrations the graph has not had yet. Raises DatabaseError if it had others than ours, or more."""
    ours = cypher.migrations()
    applied = store.rows(MigrationRow)
    for row in applied:
        if row.number > len(ours):
            raise DatabaseError(
                f"the graph is newer than this program: it has migration {row.id} ({row.name}), "
                f"the program knows {len(ours)}",
                remedy="upgrade xkg, or use another database or XKG_HOME",
            )
        known = ours[row.number - 1]
        if known.checksum != row.checksum:
            raise DatabaseError(
                f"migration {row.id} ({row.name}) of the graph differs from the program's ({known.name})",
                remedy="`xkg graph export` with the xkg that made this graph, `xkg graph import` into a new one",
            )
    done = {row.number for row in applied}
    return tuple(m for m in ours if m.number not in done)


def migrate(store: Store) -> tuple[cypher.Migration, ...]:
    """Apply what is pending, in order; returns it. Killed, it goes on next time.

    Never two processes at once, which kg.opening sees to: statements that meet their like halfway change ids twice.
    """
    todo = pending(store)
    if todo:
        store.write("schema/create_migration_constraint")
    for migration in todo:
        for statement in migration.statements:
            store.statement(statement)
        store.write(
            "schema/record_migration",
            id=f"{migration.number:04}",
            number=migration.number,
            name=migration.name,
            checksum=migration.checksum,
        )
    if todo:
        store.read("schema/await_indexes", seconds=INDEX_SECONDS)
    return todo


def bring_along(store: Store, applied: int) -> None:
    """Bring what came from a graph that had only the first `applied` migrations into the present form.

    Statements of migrations change nothing that has this form already: each can be repeated.
    """
    for migration in cypher.migrations()[applied:]:
        for statement in migration.statements:
            store.statement(statement)


def index_info(store: Store | Transaction) -> IndexInfo | None:
    """The embedding model whose vectors the graph holds; None before the first vector."""
    found = store.rows(IndexInfo)
    return found[0] if found else None


def bind_model(store: Store, model_id: str, dimension: int) -> None:
    """Make `model_id` the model of this graph's vectors, or check that it is.

    The first model gives the vector indexes their dimension. Raises DatabaseError if another model's vectors are there.
    """
    bound = index_info(store)
    if bound is None:
        _fit_indexes(store, dimension)
        bound = store.write_rows(BoundIndexInfo, model_id=model_id, dimension=dimension)[0]
    if (bound.model_id, bound.dimension) != (model_id, dimension):
        raise DatabaseError(
            f"the graph holds vectors of {bound.model_id} ({bound.dimension} numbers), "
            f"which can't be mixed with {model_id} ({dimension} numbers)",
            remedy="set XKG_EMBEDDING_MODEL back, or use another graph (XKG_HOME) for the other model",
        )


def _fit_indexes(store: Store, dimension: int) -> None:
    sizes = {row.name: row.dimension for row in store.rows(VectorIndex)}
    for label in VECTOR_LABELS:
        if sizes.get(f"{label}_vector") != dimension:
            store.write(f"schema/drop_{label}_vector_index")
            store.write(f"schema/create_{label}_vector_index", dimension=dimension)
    store.read("schema/await_indexes", seconds=INDEX_SECONDS)
