"""Rows of the schema: migrations, vector indexes, and the model of the vectors."""

from kg.results import Row


class MigrationRow(Row):
    """A migration the graph has had."""

    query = "schema/list_migrations"
    id: str
    number: int
    name: str
    checksum: str


class IndexInfo(Row):
    """The model of the graph's vectors."""

    query = "schema/read_index_info"
    model_id: str
    dimension: int


class BoundIndexInfo(IndexInfo):
    """The model in force after binding."""

    query = "schema/bind_index_info"


class VectorIndex(Row):
    """A vector index and the length of its vectors."""

    query = "schema/list_vector_indexes"
    name: str
    dimension: int
