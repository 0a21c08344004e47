"""Texts as vectors: one small protocol, a torch-free default, and any sentence-transformers model as an option.

The same text always gives the same bytes, whatever else is embedded with it; every model has a `model_id`, and vectors
of different ids are never compared.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from kg.config import Settings

__all__ = ["Embedder", "Vectors", "open_embedder", "prepare"]

Vectors = npt.NDArray[np.float32]
"""Float32 ``[texts, dimension]``, each row of Euclidean length 1, so that a dot product is a cosine."""


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


def open_embedder(settings: Settings, *, remember: bool = True) -> Embedder:
    """The embedder that `settings.embedding_model` names, behind the cache of vectors in `settings.cache`.

    The model itself is loaded at the first text that the cache doesn't hold; without `remember` there is no cache.
    Raises InputError for a model that isn't installed or isn't one.
    """
    from kg.embeddings.cache import CachedEmbedder
    from kg.embeddings.minilm import MiniLM
    from kg.embeddings.sentence import SentenceModel

    builtin = settings.embedding_model == "minilm"
    model: Embedder = MiniLM(settings.cache) if builtin else SentenceModel(settings.embedding_model)
    return CachedEmbedder(model, settings.cache) if remember else model


def prepare(settings: Settings) -> None:
    """Do now what the built-in model needs once, so that later commands start at once and offline. Idempotent.

    Raises InputError when its weights are not installed or not the official ones.
    """
    from kg.embeddings.minilm import convert

    convert(settings.cache)
