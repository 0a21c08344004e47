"""The word lists of `vocabulary.toml`."""

import tomllib
from functools import lru_cache
from importlib.resources import files

__all__ = ["vocabulary"]


@lru_cache(maxsize=1)
def _lists() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("ingest.extract").joinpath("vocabulary.toml").read_text(encoding="utf-8"))


def vocabulary(module: str, name: str) -> frozenset[str]:
    """The words, or phrases where commas separate them, of one list."""
    text = _lists()[module][name]
    return frozenset(" ".join(part.split()) for part in (text.split(",") if "," in text else text.split()))
