"""The cache of vectors: each text is computed once, by whatever process comes first."""

import multiprocessing
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from kg.embeddings import Vectors
from kg.embeddings.embedder import CHUNK, CachedEmbedder
from kg.errors import ServiceError


class Counting:
    """A tiny true embedder: the first bytes of the text's hash, and a record of what it was asked."""

    dimension = 4

    def __init__(self, model_id: str = "counting/1") -> None:
        self.model_id = model_id
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        rows = [[len(text), *map(ord, (text + "   ")[:3])] for text in texts]
        matrix = np.array(rows, np.float32).reshape(len(texts), 4)
        return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def test_asked_once_and_in_order(tmp_path: Path) -> None:
    inner = Counting()
    embedder = CachedEmbedder(inner, tmp_path)
    first = embedder.embed(["b", "a", "b", "ccc"])
    assert sorted(inner.asked) == ["a", "b", "ccc"]
    assert first.tobytes() == Counting().embed(["b", "a", "b", "ccc"]).tobytes()
    again = CachedEmbedder(inner, tmp_path).embed(["ccc", "b"])
    assert len(inner.asked) == 3
    assert again.tobytes() == first[[3, 0]].tobytes()
    assert embedder.embed([]).shape == (0, 4)


def test_models_do_not_share_vectors(tmp_path: Path) -> None:
    other = Counting("counting/2")
    CachedEmbedder(Counting(), tmp_path).embed(["a"])
    CachedEmbedder(other, tmp_path).embed(["a"])
    assert other.asked == ["a"]


def test_an_interruption_keeps_what_was_computed(tmp_path: Path) -> None:
    class Breaking(Counting):
        def embed(self, texts: Sequence[str]) -> Vectors:
            if self.asked:
                raise KeyboardInterrupt
            return super().embed(texts)

    texts = [f"{n:05}" for n in range(CHUNK + 10)]
    with pytest.raises(KeyboardInterrupt):
        CachedEmbedder(Breaking(), tmp_path).embed(texts)
    resumed = Counting()
    CachedEmbedder(resumed, tmp_path).embed(texts)
    assert len(resumed.asked) == 10


def _embed_many(folder: Path) -> int:
    inner = Counting()
    CachedEmbedder(inner, folder).embed([str(n) for n in range(600)])
    return len(inner.asked)


def test_several_processes_at_once(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        pool.map(_embed_many, [tmp_path] * 3)
    assert _embed_many(tmp_path) == 0
    database = sqlite3.connect(tmp_path / "vectors.sqlite")
    assert database.execute("SELECT count(*) FROM vectors").fetchone() == (600,)
    database.close()


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "vectors.sqlite").write_bytes(b"not a database, but long enough to be read as one" * 100)
    with pytest.raises(ServiceError, match=r"vectors\.sqlite\); .*remove the file"):
        CachedEmbedder(Counting(), tmp_path).embed(["a"])
