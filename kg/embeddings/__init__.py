"""Texts as vectors: one small protocol, a torch-free default, and any sentence-transformers model as an option.

The same text always gives the same bytes, whatever else is embedded with it; every model has a `model_id`, and vectors
of different ids are never compared.
"""

from kg.config import Settings
from kg.embeddings.embedder import CachedEmbedder, Embedder, Vectors

__all__ = ["Embedder", "Vectors", "open_embedder"]


def open_embedder(settings: Settings, *, remember: bool = True) -> Embedder:
    """The embedder that `settings.embedding_model` names, behind the cache of vectors in `settings.cache`.

    The model itself is loaded at the first text that the cache doesn't hold; without `remember` there is no cache.
    Raises InputError for a model that isn't installed or isn't one.
    """
    from kg.embeddings.minilm import MiniLM
    from kg.embeddings.sentence import SentenceModel

    builtin = settings.embedding_model == "minilm"
    model: Embedder = MiniLM(settings.cache) if builtin else SentenceModel(settings.embedding_model)
    return CachedEmbedder(model, settings.cache) if remember else model
