"""Python 2 is seen, translated where that keeps what it does, and named where it does not."""

import pytest

PRINTS = """\
import cPickle

class Node(object):
    def __init__(self, items):
        self.items = items

    def __nonzero__(self):
        return len(self.items) > 0

def halves(numbers):
    out = []
    for i in xrange(len(numbers)):
        print "at", i
        try:
            out.append(numbers[i] / 2)
        except TypeError, error:
            raise ValueError, "no number"
    return out, bool(Node([])), sorted({1: 2}.has_key(1) and map(lambda (a, b): a <> b, [(1, 2)])), `1`
"""


def test_prints_are_translated_and_marked(repository) -> None:
    repo = repository({"old.py": PRINTS})
    module = repo.slice("old.py#halves")
    assert module.translated == "python 2"
    assert module.problems == ()
    assert repo.call(module, [5, 5.0, -5]) == [[2, 2.5, -3], False, [True], "1"]


def test_pieces_of_a_translation_lie_where_they_lie_in_the_repository(repository) -> None:
    module = repository({"old.py": PRINTS}).slice("old.py#halves")
    assert ("old.py", 3, 18) in {(piece.source, piece.line, piece.end_line) for piece in module.pieces}


def test_code_that_parses_as_both_is_told_by_its_names(repository) -> None:
    repo = repository({"old.py": "def f(n):\n    return sum(xrange(n)) / 2\n"})
    module = repo.slice("old.py#f")
    assert module.translated == "python 2"
    assert repo.call(module, 4) == 3


def test_true_division_is_left_alone(repository) -> None:
    repo = repository({"old.py": "from __future__ import division\ndef f(n):\n    print n\n    return n / 2\n"})
    module = repo.slice("old.py#f")
    assert module.problems == ()
    assert repo.call(module, 5) == 2.5


@pytest.mark.parametrize(
    "line", ["x.sort(cmp=g)", "return cmp(x, 1)", "return 'a'.encode('hex')", "return string.maketrans('a', 'b')"]
)
def test_what_no_translation_keeps_is_a_problem(repository, line: str) -> None:
    module = repository({"old.py": f"import string\ndef f(x):\n    print x\n    {line}\n"}).slice("old.py#f")
    assert any("Python 2 that no mechanical translation keeps" in problem for problem in module.problems)


def test_what_is_neither_is_a_problem(repository) -> None:
    module = repository({"bad.py": "def f(x):\n    return x\n\nthis is (no python\n"}).slice("bad.py#f")
    assert module.files == {}
    assert any(problem.startswith("bad.py: is neither Python 3 nor Python 2") for problem in module.problems)


def test_python_3_is_not_translated(repository) -> None:
    module = repository({"new.py": "def f(x):\n    return x / 2\n"}).slice("new.py#f")
    assert module.translated is None
    assert "_classic_division" not in module.files["new.py"]
