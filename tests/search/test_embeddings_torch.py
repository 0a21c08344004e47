"""sentence-transformers and the built-in model are one model: the same id, the same vectors."""

from pathlib import Path

import numpy as np
import pytest

from kg.config import Settings
from kg.embeddings import open_embedder
from kg.embeddings.minilm import MODEL_ID, MiniLM, weights_folder
from kg.errors import InputError

pytestmark = pytest.mark.torch

TEXTS = [
    "Test-time adaptation by entropy minimisation",
    "",
    "def merge(self, other):\n    return self.centroids + other.centroids",
    r"\mathcal{L} = -\sum_c \hat{y}_c \log \hat{y}_c",
    "Überraschung, 数学, naïve café",
    "long " * 600,
]


def test_same_weights_same_id_same_vectors(tmp_path: Path) -> None:
    ours = MiniLM(tmp_path).embed(TEXTS)
    theirs = open_embedder(Settings().replace(cache=tmp_path / "torch", embedding_model=str(weights_folder())))
    assert theirs.model_id == MODEL_ID
    assert theirs.dimension == ours.shape[1]
    assert np.abs(theirs.embed(TEXTS) - ours).max() < 1e-5
    assert (theirs.embed(TEXTS[::-1])[::-1] == theirs.embed(TEXTS)).all()


def test_unknown_model(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no-such-model"):
        open_embedder(Settings().replace(cache=tmp_path, embedding_model=str(tmp_path / "no-such-model"))).embed(["x"])
