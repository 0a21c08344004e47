from collections.abc import Callable

import numpy as np

from agents.code.units import CodeBase
from ingest.ground import CodeIndex, Query, Ranking
from ingest.ground.rank import best_caller, exclusivity
from tests.ground.conftest import first

FILES = {
    "tree.py": (
        'class Tree:\n    """A balanced search tree."""\n\n    def insert(self, key):\n        """Adds a key."""\n'
        "        return self._rotate(key)\n\n"
        "    def _rotate(self, node):\n        left = node.left\n        return left\n\n"
        "    def delete(self, key):\n        return key\n"
    ),
    "score.py": (
        "def silhouette(points, labels):\n    distances = points - labels\n    return distances\n\n\n"
        "def acceptance_fraction(accepted, total):\n    return accepted / total\n"
    ),
    "tests/test_tree.py": "from tree import Tree\n\n\ndef test_delete_key():\n    assert Tree().delete(1) == 1\n",
}


def test_names_lead_to_their_units(code: Callable[..., CodeBase], ask: Callable[..., Ranking]) -> None:
    ranking = ask(code(FILES), "acceptance fraction", "silhouette coefficient", "rotation of a node")
    assert [first(ranking, q) for q in range(3)] == [
        "score.py#acceptance_fraction",
        "score.py#silhouette",
        "tree.py#Tree._rotate",
    ]


def test_a_word_of_like_meaning_is_enough(code: Callable[..., CodeBase], ask: Callable[..., Ranking]) -> None:
    assert first(ask(code(FILES), "removing an element")) == "tree.py#Tree.delete"


def test_the_text_around_decides_where_the_name_says_nothing(
    code: Callable[..., CodeBase], ask: Callable[..., Ranking]
) -> None:
    query = Query("q", "second step", "We divide accepted by total.", "We divide accepted by total proposals.")
    assert first(ask(code(FILES), query)) == "score.py#acceptance_fraction"


def test_what_is_listed_is_not_listed_again_inside(code: Callable[..., CodeBase], ask: Callable[..., Ranking]) -> None:
    ranking = ask(code(FILES), "balanced search tree")
    listed = [ranking.index.units[row].symbol for row in ranking.order(0, 5)]
    assert listed[0] == "Tree"
    assert not any(symbol.startswith("Tree.") for symbol in listed)


def test_shares_of_the_evidence_sum_to_one(code: Callable[..., CodeBase], ask: Callable[..., Ranking]) -> None:
    ranking = ask(code(FILES), "acceptance fraction")
    why = ranking.why(0, ranking.order(0, 1)[0])
    assert 0.97 < sum(why.values()) <= 1.001
    assert why["same_name"] > 0


def test_order_does_not_depend_on_the_run(code: Callable[..., CodeBase], ask: Callable[..., Ranking]) -> None:
    codebase = code(FILES)
    a, b = (ask(codebase, "delete a key", "insert a key") for _ in range(2))
    assert np.array_equal(a.scores, b.scores)


def test_nothing_to_rank_and_nothing_asked(code: Callable[..., CodeBase], ask: Callable[..., Ranking]) -> None:
    assert ask(code({}), "anything").order(0, 5) == []
    assert ask(code(FILES)).scores.shape[0] == 0


def test_empty_and_wordless_names_are_ranked_too(code: Callable[..., CodeBase], ask: Callable[..., Ranking]) -> None:
    ranking = ask(code(FILES), "", "§ 1", "x" * 10_000)
    assert np.isfinite(ranking.scores).all()


def test_hostile_sizes(code: Callable[..., CodeBase], ask: Callable[..., Ranking]) -> None:
    long_name = "a" * 3_000
    many = "".join(f"def f{n}():\n    return {n}\n\n\n" for n in range(400))
    ranking = ask(code({"long.py": f"def {long_name}():\n    return 'y'\n", "many.py": many}), "f seven")
    assert len(ranking.index.units) >= 400
    assert np.isfinite(ranking.scores).all()


def test_siblings_share_out_what_both_want() -> None:
    scores = np.array([[9.0, 8.5], [9.0, 4.0]])
    share = exclusivity(scores)
    assert share[0, 1] > share[0, 0]
    assert share[1, 0] > share[1, 1]


def test_a_callee_inherits_its_best_caller() -> None:
    scores = np.array([[3.0, 1.0, 5.0]])
    calls = np.array([[0, 1], [2, 1]])
    assert best_caller(scores, calls).tolist() == [[0.0, 5.0, 0.0]]


def test_only_the_best_of_a_large_repository_are_embedded(code: Callable[..., CodeBase]) -> None:
    from ingest.ground.features import gather

    class Counting:
        def __init__(self) -> None:
            self.texts: list[str] = []

        def embed(self, texts: list[str]) -> np.ndarray:
            self.texts += texts
            return np.full((len(texts), 4), 0.5, dtype=np.float32)

    many = "".join(f"def handler_{n}(event):\n    return event + {n}\n\n\n" for n in range(300))
    index = CodeIndex(code({"many.py": many + "def median(xs):\n    return xs\n"}))
    counting = Counting()
    evidence = gather(index, [Query("q", "median")], "", counting, embed_best=10)
    assert len(evidence.embedded) == 10
    median = next(row for row, unit in enumerate(index.units) if unit.name == "median")
    assert median in evidence.embedded
    assert sum("many.py" in text for text in counting.texts) == 10
