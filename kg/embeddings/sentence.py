"""Any sentence-transformers model, by name or folder: the extra `torch`."""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from kg.embeddings.embedder import Vectors
from kg.embeddings.minilm import MODEL_ID, WEIGHTS_SHA256
from kg.errors import InputError
from kg.files import sha256_of_file

__all__ = ["SentenceModel"]


class SentenceModel:
    """A sentence-transformers model on the CPU as an Embedder.

    Its id holds a hash of its weights, so that two revisions under one name are two models. A folder that holds the
    official weights of all-MiniLM-L6-v2 gets the id of the built-in model: both give the same vectors up to 1e-6.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    @cached_property
    def _model(self) -> Any:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise InputError(
                f"the embedding model {self.name!r} needs sentence-transformers, which is not installed",
                remedy="pip install 'xkg[torch]', or set embedding_model to 'minilm'",
            ) from error
        try:
            return SentenceTransformer(self.name, device="cpu")
        except (OSError, ValueError, RuntimeError) as error:
            first = str(error).strip().partition("\n")[0]
            raise InputError(
                f"the embedding model {self.name!r} can't be loaded: {first}",
                remedy="set embedding_model to a folder or name that sentence-transformers knows",
            ) from error

    @cached_property
    def model_id(self) -> str:
        """``<name>@<hash of the weights>/st``, or the built-in model's id for its official weights."""
        weights = Path(self.name) / "model.safetensors"
        if weights.is_file() and sha256_of_file(weights) == WEIGHTS_SHA256:
            return MODEL_ID
        digest = hashlib.sha256()
        for key, value in sorted(self._model.state_dict().items()):
            digest.update(key.encode())
            digest.update(np.ascontiguousarray(value.float().cpu().numpy()).tobytes())
        return f"{Path(self.name).name}@{digest.hexdigest()[:12]}/st"

    @cached_property
    def dimension(self) -> int:
        """Length of one vector."""
        return int(self._encode(["x"]).shape[1])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of `texts`, one at a time: a batch's padding would move the last bits."""
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        return self._encode(list(texts))

    def _encode(self, texts: list[str]) -> Vectors:
        encoded = self._model.encode(
            texts, batch_size=1, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
        )
        return np.asarray(encoded, np.float32)
