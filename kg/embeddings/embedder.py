"""What turns texts into vectors, and its cache: vectors remembered by content.

The cache is one sqlite file for all models and all processes of a user.
"""

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from kg.errors import ServiceError

__all__ = ["CachedEmbedder", "Embedder", "Vectors"]

Vectors = npt.NDArray[np.float32]
"""Float32 ``[texts, dimension]``, each row of Euclidean length 1, so that a dot product is a cosine."""

SCHEMA = """
-- sha256 is of the text, vector little-endian float32
CREATE TABLE IF NOT EXISTS vectors (
    model TEXT NOT NULL, sha256 BLOB NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (model, sha256)
) WITHOUT ROWID
"""
CHUNK = 256
"""Texts looked up, computed and stored at a time: what an interruption can lose."""
BUSY_SECONDS = 60


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def model_id(self) -> str:
        """What the vectors are of: weights, revision, precision, pooling and normalisation. Equal ids may be mixed."""

    @property
    def dimension(self) -> int:
        """Length of one vector."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row for each text, in order."""


class CachedEmbedder:
    """An Embedder that asks `inner` only for texts that nobody has embedded before with the same model.

    Safe for several threads and processes: each call opens the file for itself, and sqlite orders the writers.
    """

    def __init__(self, inner: Embedder, folder: Path) -> None:
        self._inner = inner
        self._file = folder / "vectors.sqlite"

    @property
    def model_id(self) -> str:
        """The id of the model behind the cache."""
        return self._inner.model_id

    @property
    def dimension(self) -> int:
        """The dimension of the model behind the cache."""
        return self._inner.dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row for each text, in order. Raises ServiceError when the cache file is unusable."""
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        rows: dict[bytes, list[int]] = {}
        for row, text in enumerate(texts):
            rows.setdefault(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest(), []).append(row)
        with self._database() as database:
            missing = [key for key in rows if not self._recall(database, key, rows[key], vectors)]
            missing.sort(key=lambda key: (len(texts[rows[key][0]]), key))
            for start in range(0, len(missing), CHUNK):
                keys = missing[start : start + CHUNK]
                found = self._inner.embed([texts[rows[key][0]] for key in keys])
                for key, vector in zip(keys, found, strict=True):
                    vectors[rows[key]] = vector
                with database:
                    database.executemany(
                        "INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)",
                        [(self.model_id, key, v.astype("<f4").tobytes()) for key, v in zip(keys, found, strict=True)],
                    )
        return vectors

    def _recall(self, database: sqlite3.Connection, key: bytes, rows: list[int], vectors: Vectors) -> bool:
        query = "SELECT vector FROM vectors WHERE model = ? AND sha256 = ?"
        hit = database.execute(query, (self.model_id, key)).fetchone()
        if hit is None or len(hit[0]) != 4 * self.dimension:
            return False
        vectors[rows] = np.frombuffer(hit[0], "<f4")
        return True

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._file, timeout=BUSY_SECONDS)) as database:
                database.execute("PRAGMA journal_mode = WAL")
                database.execute("PRAGMA synchronous = NORMAL")
                database.execute(SCHEMA)
                yield database
        except (sqlite3.Error, OSError) as error:
            raise ServiceError(
                f"the cache of vectors can't be used: {error}",
                where=str(self._file),
                remedy="free space, or remove the file: it is computed again",
            ) from error
