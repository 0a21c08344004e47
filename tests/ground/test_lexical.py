from collections.abc import Callable

import numpy as np
import pytest

from agents.code.units import CodeBase
from ingest.ground import CodeIndex
from ingest.ground.expand import expand
from ingest.ground.fields import lex
from ingest.ground.query import weighted

FILES = {
    "sketch.py": 'def merge_centroids(a, b):\n    """Joins two digests."""\n    return a + b\n\n\n'
    "def quantile(q):\n    # merge is not done here\n    return q\n"
}


@pytest.fixture
def index(code: Callable[..., CodeBase]) -> CodeIndex:
    return CodeIndex(code(FILES))


def test_a_name_weighs_more_than_a_comment(index: CodeIndex) -> None:
    merge, quantile = index.bm25f.score(weighted("merge"))
    assert merge > quantile > 0


def test_scores_stay_below_one_and_fall_with_words_that_the_code_lacks(index: CodeIndex) -> None:
    known, foreign = (
        index.bm25f.score(weighted("merge centroids")),
        index.bm25f.score(weighted("merge centroids sourdough")),
    )
    assert 1 > known[0] > foreign[0] > 0
    assert not index.bm25f.score({}).any()


def test_letters_find_a_name_in_another_form(index: CodeIndex) -> None:
    scores = index.ngrams.score(["quantiles"])
    assert np.argmax(scores) == 1
    assert 0.5 < scores[1] < 1


def test_comments_strings_and_names_are_told_apart() -> None:
    comments, strings, names = lex('x = "a // b"  # why\ny = 1', "python")
    assert (comments, strings, names) == (["why"], ["a // b"], ["x", "y"])
    comments, strings, names = lex('x = "a # b"; /* why */ y // too', "go")
    assert (comments, strings, names) == (["why", "too"], ["a # b"], ["x", "y"])


def test_expansions_are_words_of_the_code() -> None:
    code = {"vae", "variat", "env", "mpc"}
    names = {"vae", "env", "mpc"}
    assert set(expand("environment", code, names, set())) == {"env"}
    assert set(expand("model predictive control", code, names, set())) == {"mpc"}
    assert expand("environment", code, names, {"env"}) == {}
