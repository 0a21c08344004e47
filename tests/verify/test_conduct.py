"""What documentation says of cases that no test enters is tried, and honest code is not refuted."""

import asyncio
import inspect
from pathlib import Path
from typing import Any

import pytest

from agents.code.units import read_units
from agents.code.verify.conduct import conduct
from agents.code.verify.promises import dumped, promises
from agents.execution.harness.inside.values import Record, wrapped


def refuted(folder: Path, text: str, *calls: tuple[Any, ...]) -> set[str]:
    """The kinds of promises of the first function that are refuted when it is called with each of `calls`."""
    (folder / "m.py").write_text(text)
    unit = next(unit for unit in read_units(folder).units if unit.kind == "function")
    names, record = dict[str, Any](), Record()
    exec(text, names)  # noqa: S102 -- the text is this file's
    function = wrapped("probe", dumped(promises(unit)), record)(names[unit.name])
    for call in calls:
        found = awaited(function(*call))
        list(found) if hasattr(found, "__next__") else found
    return {one["kind"] for one in record.report()["refuted"]}


def awaited(found: Any) -> Any:
    """What comes in the end."""

    async def items() -> list[Any]:
        return [item async for item in found]

    if inspect.isasyncgen(found):
        return asyncio.run(items())
    return asyncio.run(found) if inspect.iscoroutine(found) else found


def refuted_of(folder: Path, text: str, *steps: tuple[Any, ...]) -> set[str]:
    """The same of the first class: `steps` are what it is made with, then calls of methods."""
    (folder / "m.py").write_text(text)
    unit = next(unit for unit in read_units(folder).units if unit.kind == "class")
    names, record = {"__name__": "m"}, Record()  # type: dict[str, Any], Record
    exec(text, names)  # noqa: S102 -- the text is this file's
    made = wrapped("probe", dumped(promises(unit)), record)(names[unit.name])(*steps[0])
    for method, *given in steps[1:]:
        getattr(made, method)(*given)
    return {one["kind"] for one in record.report()["refuted"]}


def said(docstring: str, body: str, parameters: str) -> str:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return f'def f({parameters}):\n    """{docstring}"""\n{lines}\n'


WORDS = ["a", "b", "c", "d"]
FIRST = "The words. If `n` is given, at most so many are returned."
CASES: list[tuple[str, str, str, str, tuple[Any, ...]]] = [
    # kind, documentation, parameters, what is wrong, what is right, a call
    ("limited", FIRST, "w, n=None", "return w if n is None else w[:n + 1]", (WORDS,)),
    ("limited", "The words.\n\n    :param n: at most so many are returned", "w, n=None", "return w", (WORDS,)),
    ("limited", "The words. If n is not None, returns only the first so many.", "w, n=None",
     "return w[-(n or 9):]", (WORDS,)),
    ("batches", "The words in batches of at most `n`.", "w, n",
     "return [w[i:i + n] for i in range(0, len(w) - len(w) % n, n)]", (WORDS, 2)),
    ("windows", "All windows of n items.", "w, n",
     "return [w[i:i + n] for i in range(max(1, len(w) - n))]", (WORDS, 4)),
    ("ordered", "The words, in the order of first occurrence.", "w", "return sorted(set(w))", (WORDS,)),
    ("ordered", "Lengths by word, in the order in which they first appear.", "w",
     "return {x: len(x) for x in sorted(w)}", (WORDS,)),
    ("empty", "The number of words. An empty list gives 0.", "w", "return len(w) or -1", (WORDS,)),
    ("empty", "The first word, None for an empty list.", "w", "return w[0]", (WORDS,)),
    ("empty", "The first word. Returns None if `w` is empty.", "w", "return w[0]", (WORDS,)),
    ("empty", "The share. Returns 0.0 if `w` is empty.", "w, v",
     "return sum(map(min, w, v)) / len(w) if w else 1.0", ([1], [2])),
    ("empty", "In pairs. Returns [] for an empty list.", "w", "return [w[:2]] + [w[2:]]", (WORDS,)),
    ("empty", "All of a text, turned. Returns '' for an empty text.", "w", "return w[::-1] or '?'", ("abc",)),
    ("again", "Squeezes spaces. It is idempotent.", "text", "return text.replace('  ', ' ')", ("a  b",)),
    ("again", "Halves. Calling it again on its result changes nothing.", "x", "return x // 2", (9,)),
    ("again", "Counts it in. Calling it twice has no further effect.", "table, x", "table.append(x)", ([1], 2)),
    ("anew", "Collects the words.", "w, found=[]", "found.extend(w)\nreturn list(found)", (WORDS,)),
    ("anew", "The words. Each call starts afresh.", "w, seen=[]",
     "found = [x for x in w if x not in seen]\nseen.extend(found)\nreturn found", (WORDS,)),
    ("anew", "The words. Each call starts afresh.", "w, found=[]", "found.extend(w)\nreturn list(found)", (WORDS,)),
    ("anew", "The different words.", "w, found=[]",
     "found += [x for x in w if x not in found]\nreturn list(found)", (WORDS,)),
    ("limited", "The words, at most n of them, the shortest first.", "w, n=9", "return w[:n + 1]", (WORDS,)),
    ("within", "The values times factor, clipped to [low, high].", "values, factor, low, high",
     "return [min(v * factor, high) if v > 0 else max(v * factor, low) for v in values]", ([1, 2, -5], 2, -3, 8)),
    ("within", "The share of x in all, clipped to [0, 1].", "x, all", "return x / all", (1, 4)),
    ("bounded", "A piecewise sigmoid, never below 0 nor above 1.", "x", "return max(0.0, 0.5 + x / 4)", (1.0,)),
    ("within", "The share of x in all (clamped between 0 and 1).", "x, all", "return min(1, x / all)", (1, 4)),
    ("within", "Returns the share, where the value is clipped to [0, 1].", "x, all", "return x / all", (1, 4)),
    ("within", "The cosine, negative ones taken as 0, so that it lies between 0 and 1.", "a, b",
     "return sum(x * y for x, y in zip(a, b)) / 50", ([3.0, 4.0], [5.0, 5.0])),
    ("deep", "Returns a deep copy of a list.", "w", "return list(w)", (WORDS,)),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "docstring", "parameters", "body", "call"), CASES)
def test_what_is_said_of_other_cases_is_refuted(
    tmp_path: Path, kind: str, docstring: str, parameters: str, body: str, call: tuple[Any, ...]
) -> None:
    assert kind in refuted(tmp_path, said(docstring, body, parameters), call)


@pytest.mark.parametrize(
    ("docstring", "parameters", "body", "call"),
    [
        (FIRST, "w, n=None", "return w[:n]", (WORDS,)),
        (FIRST, "w, n=None", "return {'words': w[:n], 'all': len(w)}", (WORDS,)),
        (FIRST, "w, n=None", "return (w[:n], w, w, w)", (WORDS,)),
        ("Pairs. If n is given, at most so many of each are returned.", "w, n=None", "return w", (WORDS,)),
        ("Pages. If `n` is given, at most so many are returned per page.", "w, n=None", "return [w, w]", (WORDS,)),
        ("The words in batches of at most `n`.", "w, n",
         "return [w[i:i + n] for i in range(0, len(w), n)]", (WORDS, 3)),
        ("The words in batches of n; the last may be short.", "w, n", "return [w[:n]]", (WORDS, 4)),
        ("The words in batches of n, padded with None.", "w, n", "return [w[:n]]", (WORDS, 4)),
        ("The words in batches of n.", "w, n, drop_last=True", "return [w[:n]]", (WORDS, 4)),
        ("The words in batches of n.", "w, n", "return len(w) // n", (WORDS, 2)),
        ("All windows of n items.", "w, n", "return list(zip(*(w[i:] for i in range(n))))", (WORDS, 2)),
        ("Disjoint windows of n items.", "w, n", "return [w[i:i + n] for i in range(0, len(w), n)]", (WORDS, 4)),
        ("Sum and count; an empty list gives 0.", "w", "return sum(w), len(w)", ([1, 2],)),
        ("The sum. An empty list gives 0.", "w", "import fractions\nreturn fractions.Fraction(sum(w))", ([1, 2],)),
        ("The mean of windows of n items.", "w, n", "return [0.5]", ([0, 1], 2)),
        ("The words, in the order of first occurrence.", "w", "return list(dict.fromkeys(w))", (WORDS,)),
        ("Most frequent words; ties in the order of first occurrence.", "w", "return sorted(set(w))", (WORDS,)),
        ("The number of words. An empty list gives 0.", "w", "return len(w)", (WORDS,)),
        ("The number of words. An empty list gives 0 unless strict.", "w", "return len(w) or -1", (WORDS,)),
        ("The share. Returns 0.0 if `w` is empty.", "w, v",
         "if len(w) != len(v):\n    raise ValueError\nreturn sum(map(min, w, v)) / len(w) if w else 0.0", ([1], [2])),
        ("Mean and half. NaN for an empty list.", "w",
         "m = sum(w) / len(w) if w else float('nan')\nreturn m, m / 2", ([1, 2],)),
        ("First and last. Returns None for an empty list.", "w", "return (w[0], w[-1]) if w else (None, w or None)",
         (WORDS,)),
        ("Heads and tails. Returns [] for an empty list.", "w", "return w[:1], w[1:]", (WORDS,)),
        ("The least. Returns `d` for an empty list.", "w, d=7", "return min(w, default=d)", (WORDS,)),
        ("Returns 0 if `w` is empty or blank.", "w", "return w[0]", (WORDS,)),
        ("Two lists; 0 for an empty list.", "w, v", "return w[0] + v[0]", ([1], [2])),
        ("Squeezes spaces. It is idempotent.", "text", "return ' '.join(text.split())", ("a  b",)),
        ("Squeezes spaces. It is not idempotent.", "text", "return text.replace('  ', ' ')", ("a  b",)),
        ("Books a seat. It is idempotent.", "name", "return 'Thanks, ' + name", ("Ada",)),
        ("Sorts in place. Calling it again changes nothing.", "w", "w.sort()", ([3, 1],)),
        ("Collects the words.", "w, found=[]",
         "import random\nreturn [x + str(random.random()) for x in w]", (WORDS,)),
        ("Collects the words.", "w, found=None", "return list(w)", (WORDS,)),
        ("The number of words.", "w, memo={}",
         "key = len(w)\nif key not in memo:\n    memo[key] = len(w)\nreturn memo[key]", (WORDS,)),
        ("Collects the words and keeps them across calls.", "w, found=[]",
         "found.extend(w)\nreturn list(found)", (WORDS,)),
        ("The share of x in all, clipped to [0, 1].", "x, all", "return max(0, min(1, x / all))", (1, 4)),
        ("A sigmoid, which is never below 0 nor above 1.", "x", "return max(0.0, min(1.0, 0.5 + x / 4))", (1.0,)),
        ("The words so far. Each call appends.", "w, found=[]", "found.extend(w)\nreturn list(found)", (WORDS,)),
        ("The share of x in all, between 0 and 1.", "x, all", "return x / all", (1, 4)),
        ("The cosine, negative ones taken as 0, so that it lies between 0 and 1.", "a, b",
         "return max(0, min(1, sum(x * y for x, y in zip(a, b)) / 50))", ([3.0, 4.0], [5.0, 5.0])),
        ("Twice a value that is clipped to [0, 1].", "x", "return x * 2", (0.25,)),
        ("Torque. The value is clipped to [-1, 1] before it is scaled.", "action, top",
         "return max(-1, min(1, action)) * top", (0.5, 1.5)),
        ("The part of an action, clamped to [-1, 1], that is multiplied by top.", "action, top",
         "return max(-1, min(1, action)) * top", (0.5, 1.5)),
        ("The surrogate; the ratio is clipped to [0.8, 1.2].", "x, a", "return min(1.2, max(0.8, x)) * a", (1.0, 1.0)),
        ("Twice x, which is clipped to [0, 1].", "x", "return x * 2", (0.25,)),
        ("The share of x in all in percent, clipped to [0, 1] after.", "x, all", "return 100 * x / all", (1, 4)),
        ("Returns a deep copy of a list.", "w", "import copy\nreturn copy.deepcopy(w)", ([[1], [2]],)),
        ("Returns a shallow copy of a list.", "w", "return list(w)", ([[1], [2]],)),
    ],
)  # fmt: skip
def test_honest_code_is_not_refuted(
    tmp_path: Path, docstring: str, parameters: str, body: str, call: tuple[Any, ...]
) -> None:
    assert refuted(tmp_path, said(docstring, body, parameters), call, call) == set()


@pytest.mark.parametrize(
    "text",
    [
        "async " + said("Returns [] if `w` is empty. All windows of n items.", "return w[:n]", "w, n=1"),
        said("Returns [] if `w` is empty.", "import asyncio\nreturn asyncio.sleep(0, w)", "w"),
        "async " + said("Squeezes w. Calling it again on its result changes nothing.", "yield w", "w"),
    ],
)
def test_what_is_awaited_is_not_judged(tmp_path: Path, text: str) -> None:
    assert refuted(tmp_path, text, (WORDS,)) == set()


def test_what_a_real_call_shows_to_mean_another_thing_is_no_promise(tmp_path: Path) -> None:
    body = "return [w[i:i + n] for i in range(0, len(w) - len(w) % n, n)]"
    text = said("The words in batches of at most `n`.", body, "w, n")
    assert refuted(tmp_path, text, (WORDS, 2)) == {"batches"}
    assert refuted(tmp_path, text, (WORDS, 2), (WORDS, 3)) == set()


STACK = '''class Stack:
    """Things in a list. `put()` raises IndexError when the stack is full."""

    def __init__(self, capacity=3):
        self.capacity, self.items, self.past = capacity, [], []

    def put(self, item):
        if len(self.items) {compared} self.capacity:
            raise IndexError(item)
        self.past.append(list(self.items))
        self.items.append(item)

    def drop(self):
        {kept}
        self.items = self.items[:-1]

    def undo(self):
        """Takes back the last change."""
        self.items = self.past.pop({place})

    def close(self):
        """Sorts all. Calling it again changes nothing."""
        self.items = sorted(self.items{more})

    def copy(self):
        """A copy of the stack."""
        made = Stack(self.capacity)
        made.items = {copied}
        return made
'''
HONEST = {
    "compared": ">=", "kept": "self.past.append(list(self.items))", "place": "", "more": "",
    "copied": "list(self.items)",
}  # fmt: skip
STEPS = ((), ("put", 3), ("put", 5), ("undo",), ("put", 4), ("copy",), ("close",))


@pytest.mark.parametrize(
    ("change", "kinds"),
    [
        ({}, set()),
        ({"compared": ">"}, {"filled"}),
        ({"compared": "== 1 +"}, {"filled"}),
        ({"kept": "pass"}, {"undone"}),
        ({"place": "0"}, {"undone"}),
        ({"more": " + [1]"}, {"done_again"}),
        ({"copied": "self.items"}, {"cloned"}),
    ],
)
def test_methods_are_tried_on_copies_of_objects(tmp_path: Path, change: dict[str, str], kinds: set[str]) -> None:
    assert refuted_of(tmp_path, STACK.format(**(HONEST | change)), *STEPS) == kinds


NO_CHANGE = """class A:
    def __init__(self):
        self.x, self.past = [], []

    def put(self, v):
        self.past.append(list(self.x))
        self.x.append(v)

    def load(self, v):
        self.x = [v]

    def put_all(self, more):
        for v in more:
            self.put(v)

    def undo(self):
        '''Undoes the last change.'''
        self.x = self.past.pop() if self.past else self.x
"""
PART_SHARED = """class A:
    def __init__(self):
        self.x, self.names = [], {}

    def put(self, v):
        self.x.append(v)

    def copy(self):
        '''A copy.'''
        made = A()
        made.x, made.names = list(self.x), self.names
        return made

    def undo(self):
        '''Undoes the last change.'''
        self.x.pop()
"""
FORGETS = """class A:
    def __init__(self):
        self.x, self.limit = [], 2

    def put(self, v):
        '''Puts it in; the oldest makes room when the buffer is full.'''
        self.x = (self.x + [v])[-2:]
"""


UNDONE_TOO_OFTEN = """class A:
    def __init__(self):
        self.x, self.past, self.index = 0, {0: 0}, 0

    def put(self, v):
        self.index += 1
        self.x += v
        self.past[self.index] = self.x

    def undo(self):
        '''Undoes the last change.'''
        self.index -= 1
        self.x = self.past.get(self.index, self.x)
"""
CACHE_SHARED = """class A:
    def __init__(self):
        self.x, self.cache = [], {}

    def put(self, v):
        self.x.append(v)
        self.cache[v] = len(self.x)

    def copy(self):
        '''A deep copy.'''
        made = A()
        made.x, made.cache = list(self.x), self.cache
        return made
"""
WRITES = """class A:
    def __init__(self):
        self.x, self.file = [], {file!r}

    def put(self, v):
        self.x.append(v)

    def {name}(self, file):
        self.x.append(open(file, "w").write(""))

    def undo(self):
        '''Undoes the last change.'''
        self.x.pop()
"""


@pytest.mark.parametrize(("name", "place"), [("save", ""), ("delete", ""), ("keep", "./")])
def test_what_may_write_a_file_of_the_object_is_not_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, place: str
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "one.txt"
    file.write_text("held")
    text = WRITES.format(file=place + file.name, name=name)
    assert refuted_of(tmp_path, text, (), ("put", 3), ("undo",)) == set()
    assert file.read_text() == "held"


@pytest.mark.parametrize("text", [NO_CHANGE, PART_SHARED, FORGETS, UNDONE_TOO_OFTEN, CACHE_SHARED])
def test_honest_classes_are_not_refuted(tmp_path: Path, text: str) -> None:
    steps = [(), ("put", 3), ("put", 5), *([(name,) for name in ("undo", "copy") if f"def {name}" in text])]
    assert refuted_of(tmp_path, text, *steps) == set()


@pytest.mark.parametrize(
    "docstring",
    [
        "Idempotent functions have one more use.",
        "The mean. Not defined for an empty list.",
        "Whether an empty list is given.",
        "Splits at most `w` times.",
        "The order of the first terms.",
        "A copy. Calling code may change it again.",
        "Whether a buffer is full.",
    ],
)
def test_what_is_not_plain_promises_nothing(tmp_path: Path, docstring: str) -> None:
    (tmp_path / "m.py").write_text(said(docstring, "return w", "w, n=2"))
    unit = next(unit for unit in read_units(tmp_path).units if unit.kind == "function")
    assert list(conduct(unit)) == []
