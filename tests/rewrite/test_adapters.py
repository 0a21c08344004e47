"""Originals that are called with the arguments of their modules: what they are given, and what is no module of them."""

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from agents.code.modules import Slicer
from agents.code.units import read_units
from agents.rewrite.lifting import objection, original_file, stood_for, with_arguments
from agents.rewrite.reply import Lifted
from agents.rewrite.task import Task

HEAD = "import argparse\nimport math\n\nargs = argparse.ArgumentParser().parse_args([])\n\n\n"
T = {"t": "args.t"}


def task_of(folder: Path, original: str, symbol: str) -> Task:
    (folder / "made.py").write_text(HEAD + original)
    unit = next(unit for unit in read_units(folder).units if unit.symbol == symbol)
    module = Slicer(folder).stored(unit)
    assert module is not None
    return Task(unit, module, "technique_it.py", ("it",), ())


def loaded(folder: Path, original: str, symbol: str, module: str, stands_for: dict[str, str]) -> Any:
    """The original with the module's parameters."""
    task = task_of(folder, original, symbol)
    lifted = [Lifted(parameter=name, stands_for=text) for name, text in stands_for.items()]
    assert objection(task, module, lifted) is None
    files = with_arguments(task, module, lifted)
    assert files is not None
    made = ModuleType("made")
    exec(compile(files[original_file(task)], "made.py", "exec"), made.__dict__)  # noqa: S102
    return made


def complaint(folder: Path, original: str, symbol: str, module: str, stands_for: dict[str, str]) -> str:
    lifted = [Lifted(parameter=name, stands_for=text) for name, text in stands_for.items()]
    found = objection(task_of(folder, original, symbol), module, lifted)
    return found.said if found else ""


@pytest.mark.parametrize(
    ("original", "module", "call", "value"),
    [
        ("def f(*terms): return sum(terms) * args.t", "def f(*terms, t): pass", "f(1, 2, t=3)", 9),
        ("def f(*terms): return sum(terms) * args.t", "def f(t, *terms): pass", "f(3, 1, 2)", 9),
        ("def f(a, top=math.inf): return min(a, top) * args.t", "def f(a, top=math.inf, *, t): pass", "f(4, t=2)", 8),
        ("def f(a, top=math.inf): return min(a, top) * args.t", "def f(a, top=math.inf, *, t): pass",
         "f(4, 3, t=2)", 6),
        ("def f(a, b=1): return (a, b, args.t)", "def f(a, b=2, t=5): pass", "f(3)", (3, 1, 5)),
        ("def f(a, b, /): return a - b * args.t", "def f(a, b, t): pass", "f(9, 2, 3)", 3),
        ("def f(a, b, /): return a - b * args.t", "def f(t, a, b): pass", "f(3, 9, b=2)", 3),
        ("def f(a, **more): return (a, more, args.t)", "def f(a, t, **rest): pass", "f(1, 2, x=3)", (1, {"x": 3}, 2)),
        ("def f(*given): return given + (args.t,)", "def f(a, b, t): pass", "f(1, 2, t=3)", (1, 2, 3)),
        ("def f(n):\n    for i in range(n):\n        yield args.t", "def f(n, t): pass",
         "list(zip(f(2, 3), f(2, 4)))", [(3, 4), (3, 4)]),
        ("def f(a): return g(a) + args.t\ndef g(a): return a * args.t", "def f(a, t): pass", "f(2, 3) + f(2, 4)", 21),
    ],
)  # fmt: skip
def test_all_but_what_is_lifted_is_handed_on_as_it_came(
    tmp_path: Path, original: str, module: str, call: str, value: Any
) -> None:
    made = loaded(tmp_path, f"{original}\n", "f", f"{module}\n", T)
    assert eval(call, made.__dict__) == value  # noqa: S307


def test_a_name_that_is_given_no_more_is_left_out(tmp_path: Path) -> None:
    original = "import json\n\n\ndef f(path, n=1):\n    rows = json.load(open(path))\n    return rows[n]\n"
    made = loaded(tmp_path, original, "f", "def f(rows, n=1): pass\n", {"rows": "json.load(open(path))"})
    assert (made.f([4, 5]), made.f([4, 5], 0), made.f(n=0, rows=[7])) == (5, 4, 7)


CLASS = """class Base:
    def __init__(self, size):
        self.size = size

    def twice(self):
        return 2 * args.t


class Scorer(Base):
    def of(self, n):
        return self.size * n * args.t

    @property
    def told(self):
        return args.t

    def each(self, other):
        yield args.t
        yield from other.each(None) if other else ()
"""
CONSTRUCTED = "class Scorer:\n    def __init__(self, size, t): pass\n"


def test_each_object_keeps_what_it_was_given(tmp_path: Path) -> None:
    made = loaded(tmp_path, CLASS, "Scorer", CONSTRUCTED, T)
    one, other = made.Scorer(1, 3), made.Scorer(2, t=5)
    assert (one.of(2), other.of(2), one.told, other.told, one.twice()) == (6, 20, 3, 5, 6)
    assert list(one.each(other)) == [3, 5]


def test_what_could_be_either_is_no_answer(tmp_path: Path) -> None:
    original = f"{CLASS}\n    def freed(self):\n        return free\n\n\ndef free():\n    return args.t\n"
    made = loaded(tmp_path, original, "Scorer", CONSTRUCTED, T)
    made.Scorer(1, 3)
    assert made.free() == 3
    made.Scorer(1, 4)
    with pytest.raises(LookupError):
        made.free()


@pytest.mark.parametrize(
    ("original", "symbol", "module", "said"),
    [
        ("def f(a, b): return a - b * args.t", "f", "def f(b, a, t): pass", "takes b, a, and not a, b"),
        ("def f(a, b=1): return a - b * args.t", "f", "def f(a, t): pass", "takes a, and not a, b"),
        ("def f(a, b): return a - b * args.t", "f", "def f(t, a, b): pass", ""),
        (CLASS, "Scorer", "class Scorer:\n    def __init__(self, size, invented, t): pass", "takes invented"),
        (CLASS, "Scorer", "class Scorer:\n    def __init__(self, size, t): pass", ""),
        ("class A:\n    def f(self): return args.t", "A", "class A:\n    def __init__(self, made, t): pass",
         "takes made"),
        ("class A:\n    def f(self): return args.t", "A", "class A:\n    def __init__(self, t): pass", ""),
        ("import json\ndef f(path, n):\n    with open(path) as file:\n        return json.load(file), args.t",
         "f", "def f(n, t): pass", "takes n, and not path, n"),
    ],
)  # fmt: skip
def test_a_module_takes_what_its_original_takes(
    tmp_path: Path, original: str, symbol: str, module: str, said: str
) -> None:
    found = complaint(tmp_path, f"{original}\n", symbol, f"{module}\n", T)
    assert said in found
    assert bool(found) == bool(said)


def test_what_only_leads_to_what_is_lifted_may_go(tmp_path: Path) -> None:
    original = (
        "import json\ndef f(path, n):\n    with open(path) as file:\n        t = json.load(file)\n    return t[n]\n"
    )
    assert complaint(tmp_path, original, "f", "def f(n, t): pass\n", {"t": "json.load(file)"}) == ""


TABLES = """import json
import torch
from transformers import AutoTokenizer
parser = argparse.ArgumentParser()
ALPHA = 0.5
TAB = build(3)
LIST = [0.1, 0.9]
SCALED = 2 * args.t
KERNEL = [math.exp(-k / args.tau) for k in range(9)]
made = json.load(build(2))
device = torch.device("cuda")
tokenizer = AutoTokenizer.from_pretrained("x")
options = parser.parse_args()
mine = options.size
size = int(args.size)
rows = []
for line in open(args.path):
    rows.append(json.loads(line))
with open(args.path) as file:
    table = json.load(file)
read = settings()
none = None
names = [row["name"] for row in json.load(open("x"))]
results = []
squares = []
pair = [2 * args.t, args.t]
for n, row in enumerate(zip(rows, names)):
    results.append({"id": row["id"], "score": math.exp(row["x"])})
for other in range(9):
    squares.append({"n": other, "square": other * other})


def main():
    global none
    none = json.load(open("x"))


def settings():
    parser = argparse.ArgumentParser()
    args = parser.parse_args()
    return args


def build(n):
    return [n]


def f(a):
    return (ALPHA, TAB, LIST, SCALED, KERNEL, made, device, tokenizer, options, mine, size, rows, table, read, names,
            none, main, results, squares, pair)
"""


@pytest.mark.parametrize(
    ("name", "is_found"),
    [
        ("ALPHA", False), ("TAB", False), ("TAB[0]", False), ("LIST", False), ("SCALED", False), ("KERNEL", False),
        ("made", False), ("device", True), ("tokenizer", True), ("options", True), ("options.size", True),
        ("mine", True), ("size", True), ("rows", True), ("table", True), ("read.size", True), ("names", True),
        ("none", True), ("results", True), ("squares", False), ("pair", False),
    ],
)  # fmt: skip
def test_a_variable_is_lifted_that_holds_what_is_found(tmp_path: Path, name: str, is_found: bool) -> None:
    original = TABLES.replace("return (", f"return ({name}, ")
    said = complaint(tmp_path, original, "f", "def f(a, it): pass\n", {"it": name})
    assert ("the module must have it itself" in said) != is_found, said


def test_a_device_with_a_number_is_the_processor(tmp_path: Path) -> None:
    task = task_of(tmp_path, "def f(x, i):\n    return x.to(f'cuda:{i}'), f'{i} on cuda'\n", "f")
    files = with_arguments(task, "def f(x, i): pass\n", [])
    assert files is not None
    assert "return (x.to('cpu'), f'{i} on cuda')" in files[original_file(task)]


def test_what_the_command_line_lets_choose_is_told_of_what_is_lifted(tmp_path: Path) -> None:
    parser = 'parser.add_argument("--by", choices=["mean", "max"])\nargs = parser.parse_args()\n'
    original = (
        f"parser = argparse.ArgumentParser()\n{parser}\n\ndef f(a):\n    return a if args.by == 'max' else args.t\n"
    )
    task = task_of(tmp_path, original, "f")
    lifted = [Lifted(parameter="how", stands_for="args.by"), Lifted(parameter="t", stands_for="args.t")]
    assert stood_for(task, lifted) == {"how": "args.by, one of 'mean', 'max'", "t": "args.t"}
