"""The form of what comes back, as it is written out or as callers take it apart, and what helpers elsewhere read."""

from pathlib import Path

import pytest

from agents.code.units import read_units
from agents.code.units.imports import ImportResolver
from agents.testwriting.interface import interface
from agents.testwriting.reach import out_of_reach


def told(folder: Path, files: dict[str, str], unit: str) -> str:
    for name, text in files.items():
        (folder / name).write_text(text)
    units = {one.id: one for one in read_units(folder).units}
    known = interface(units[unit], units, ImportResolver(one.file for one in units.values()))
    assert known is not None
    return known.text


@pytest.mark.parametrize(
    ("body", "form"),
    [
        ("out = {'loss': x}\n    out['hits'] = 7\n    return out", "returns a dict with 'loss', 'hits'"),
        ("out = {}\n    out['loss'] = x\n    return out", "returns a dict with 'loss'"),
        ("return {**x, 'loss': 7}", "returns a dict with 'loss' and more"),
        ("return loss, {'hits': x}, x + 17", "returns 3 values (loss, a dict with 'hits', …)"),
        ("found = loss, x\n    return found", "returns 2 values (loss, x)"),
        ("if x:\n        return 17, 18\n    return loss, x", "returns 2 values (loss, x)"),
        ("return 'yes' if x else 'no'", "returns 'no' or 'yes'"),
        ("if x:\n        return 'yes'\n    return 'no' if loss else None", "returns 'no' or 'yes'"),
        (
            "low = x * 2\n    if abs(low) < 17:\n        return None\n    return {'loss': x}",
            "returns a dict with 'loss' or None, None decided by x",
        ),
        (
            "low = g(17)\n    gap = low - g(1)\n    if gap:\n        return None\n    return {'low': low}",
            "returns a dict with 'low' or None, None decided by low",
        ),
        (
            "low = g(17)\n    if len(low) < 17:\n        return None\n    return {'many': len(low), 'so': g(low, x)}",
            "returns a dict with 'many', 'so' or None, None decided by many (len)",
        ),
        ("if g(17):\n        return None\n    return {'low': 0}", "returns a dict with 'low' or None"),
        ("return 'yes'", ""),
        ("return x if loss else 'yes'", ""),
        (
            "found, more = [], []\n    found = []\n    return found",
            "",
        ),
        (
            "found = []\n    for n in x:\n        found.append('right' if n else 'other')\n    return found, loss",
            "returns 2 values (found: a list of 'other' or 'right', loss)",
        ),
        ("return {'said': 'yes' if x else 'no', 'why': 'rule'}", "returns a dict with 'said' ('no' or 'yes'), 'why'"),
        ("return [{'id': n} for n in x]", "returns a list of a dict with 'id'"),
        (
            "rows = []\n    for n in x:\n        rows.append({'id': n})\n    return rows",
            "returns a list of a dict with 'id'",
        ),
        ("return Output(loss=x, hits=17)", "returns Output(loss=, hits=)"),
        ("for n in x:\n        yield n, 17", "yields 2 values (n, …)"),
        ("return dict(loss=x, hits=17)", "returns a dict with 'loss', 'hits'"),
        ("return dict(x, loss=17)", ""),
        ("if x:\n        return None\n    return {'loss': x}", "returns a dict with 'loss' or None, None decided by x"),
        ("if x:\n        return\n    return x + 17", "returns a value or None, None decided by x"),
        ("if x:\n        return\n    print(x)\n    return None", ""),
        (
            "out = dict(loss=x, **x)\n    out['hits'] = 17\n    return out",
            "returns a dict with 'loss', 'hits' and more",
        ),
    ],
)
def test_the_form_of_what_comes_back(tmp_path: Path, body: str, form: str) -> None:
    text = told(tmp_path, {"out.py": f"def f(x, loss=None):\n    {body}\n"}, "out.py#f")
    assert f"    {form}" in text.splitlines() if form else "returns" not in text
    assert "17" not in text


def test_a_long_sum_is_read_to_its_end(tmp_path: Path) -> None:
    text = told(tmp_path, {"out.py": f"def f(x):\n    return {' + '.join(['x'] * 600)}\n"}, "out.py#f")
    assert "returns" not in text


def test_a_long_choice_is_read_to_its_end(tmp_path: Path) -> None:
    chosen = " else ".join(f"'label{n % 3}' if x == {n}" for n in range(700))
    text = told(tmp_path, {"out.py": f"def f(x):\n    return {chosen} else 'rest'\n"}, "out.py#f")
    assert "returns 'label0' or 'label1' or 'label2' or 'rest'" in text


def test_a_decorated_method_is_read_as_any_other(tmp_path: Path) -> None:
    made = """\
class Coder:
    @no_grad()
    def encode(self, tok):
        \"\"\"Encode.

  Oddly laid out.
        \"\"\"
        self.last = tok("a", deep=True)["ids"]
        return dict(loss=self.last)

    @property
    @cached
    def size(self):
        return {"wide": 17}
"""
    text = told(tmp_path, {"out.py": made}, "out.py#Coder")
    assert "tok: tok(1 argument, deep=True)['ids']" in text
    assert "        returns a dict with 'loss'" in text.splitlines()
    assert "        returns a dict with 'wide'" in text.splitlines()


def test_what_objects_keep_is_named_and_never_its_value(tmp_path: Path) -> None:
    made = """\
class Coder:
    def __init__(self, size, model):
        self.size, self._seen = size, 17
        self.bias: list = [17]
        model.eval = 17

    def encode(self, x):
        self.last = x
        self.bias[0] = 17
        return x
"""
    text = told(tmp_path, {"out.py": made}, "out.py#Coder")
    assert "    attributes: size, bias, last" in text.splitlines()
    assert "17" not in text
    assert "attributes" in told(tmp_path, {"out.py": made}, "out.py#Coder.encode")


MODULE = """\
import math

class Setting:
    wide: int = 3

def helper(x):
    return x, "helped"

def open_it(x):
    return open(x)

def f(x):
    return {"loss": math.sqrt(x)}

class Other:
    def g(self, x):
        return 1, 2

class Made:
    size: int
    name: str = "a"

    def g(self, x):
        return {"hits": x}
"""


@pytest.mark.parametrize(("symbol", "form"), [("f", "returns a dict with 'loss'"), ("Made.g", "a dict with 'hits'"),
                                              ("Made", "fields: size: int, name: str (optional)")])  # fmt: skip
def test_of_a_module_the_unit_itself_is_told(tmp_path: Path, symbol: str, form: str) -> None:
    (tmp_path / "module_f.py").write_text(MODULE)
    units = {one.id: one for one in read_units(tmp_path).units}
    unit = units[f"module_f.py#{symbol}"].model_copy(update={"text": MODULE})
    known = interface(unit, {**units, unit.id: unit}, ImportResolver(["module_f.py"]))
    assert known is not None
    shown = known.text.partition("CLASS ")[0]
    assert form in known.text and "helped" not in known.text and "2 values" not in shown
    assert out_of_reach(unit, {**units, unit.id: unit}, MODULE, []) == ""


@pytest.mark.parametrize(
    "change",
    [
        "out.update(b=2)", "out.setdefault('b', 2)", "out.pop('a')", "del out['a']", "out |= x", "x.n = out.popitem()",
        "for n in x:\n        out.clear()",
    ],
)  # fmt: skip
def test_of_what_is_changed_otherwise_no_form_is_told(tmp_path: Path, change: str) -> None:
    text = told(tmp_path, {"out.py": f"def f(x):\n    out = {{'a': 1}}\n    {change}\n    return out\n"}, "out.py#f")
    assert "returns" not in text


@pytest.mark.parametrize("read", ["print(out.items())", "x.get(out.values())", "x += out['a']", "out['a'] += 1"])
def test_what_is_only_read_keeps_its_form(tmp_path: Path, read: str) -> None:
    text = told(tmp_path, {"out.py": f"def f(x):\n    out = {{'a': 1}}\n    {read}\n    return out\n"}, "out.py#f")
    assert "    returns a dict with 'a'" in text.splitlines()


def test_what_is_read_out_of_the_code_is_not_stated(tmp_path: Path) -> None:
    out = "def f(x, by: int = 2):\n    \"\"\"Loss of x.\"\"\"\n    return {'loss': x.rate, 'kl': x.kind == 'sum'}\n"
    (tmp_path / "out.py").write_text(out)
    (tmp_path / "use.py").write_text("from out import f\n\n\ndef g(x):\n    return f(x).deep\n")
    units = {one.id: one for one in read_units(tmp_path).units}
    resolver = ImportResolver(one.file for one in units.values())
    known = interface(units["out.py#f"], units, resolver, {"by": "config.by"}, out)
    assert known is not None
    for said in ("returns a dict with 'loss', 'kl'", "x.rate", "compared with 'sum'", "it.deep", "config.by"):
        assert said in known.text
        assert said not in known.stated
    assert "def f(x, by: int = 2)" in known.stated
    assert "Loss of x." in known.stated


CALLERS = """from out import f


def one(x):
    found = f(x)
    print(found.logits, found['loss'].item())
    return f(x).hits


def two(x):
    left, right = f(x)
    for row in f(x):
        row.label
"""


def test_what_callers_take_of_what_comes_back(tmp_path: Path) -> None:
    text = told(tmp_path, {"out.py": "def f(x):\n    return g(x)\n", "use.py": CALLERS}, "out.py#f")
    line = next(line for line in text.splitlines() if "callers look up" in line)
    for said in ("it.logits", "it['loss'].item()", "it.hits", "it unpacked into 2", "it[…].label"):
        assert said in line


def test_a_name_that_several_have_tells_nothing_of_callers(tmp_path: Path) -> None:
    files = {"out.py": "def f(x):\n    return g(x)\n", "use.py": CALLERS, "other.py": "def f(x):\n    return x\n"}
    assert "callers" not in told(tmp_path, files, "out.py#f")


def test_callers_of_what_a_module_stands_for_are_its_callers(tmp_path: Path) -> None:
    out = "def f(x):\n    return g(x)\nfrom made import f\n"
    files = {"out.py": out, "use.py": CALLERS, "made.py": "def f(x):\n    return x\n"}
    assert "callers look up in what it gives: it.logits" in told(tmp_path, files, "made.py#f")


HELPERS = """
def score(row, model):
    return deeper(model) * row.weight


def deeper(one):
    return one.temperature


class Keeper:
    def __init__(self, config, size):
        self.rate = config.rate
        self.config = config

    def step(self, n):
        return n * self.config.decay
"""


@pytest.mark.parametrize(
    "head",
    ["from help import score, Keeper\n", "import help\n"],
)
def test_what_a_helper_of_another_file_reads(tmp_path: Path, head: str) -> None:
    way = "help." if head.startswith("import") else ""
    made = f"    keeper = {way}Keeper(config, 3)\n    return {way}score(row, model), keeper\n"
    unit = f"\n\ndef f(row, model, config):\n{made}"
    text = told(tmp_path, {"help.py": HELPERS, "out.py": head + unit}, "out.py#f")
    read = text.partition("looked up, or set, in what it is given:\n")[2].splitlines()
    assert "        config: config.rate, config.decay" in read
    assert "        model: model.temperature" in read
    assert "        row: row.weight" in read


PARTS = """
class encoder:
    def __init__(self, opt, size):
        self.size = opt.nfeature + size

    def forward(self, images, states=None):
        return images.view(1, 2).mean() + states.norm()


class Policy:
    def __init__(self, opt):
        self.opt = opt
        self.encoder = encoder(opt, 3)
        self.decode = opt.decoder

    def __call__(self, images, states):
        return self.decode(self.encoder(images, states), images.size(0))


def decode(one, other):
    return one.nothing, other.nothing
"""


def test_a_part_that_is_called_as_its_class_is_no_new_one(tmp_path: Path) -> None:
    text = told(tmp_path, {"out.py": PARTS}, "out.py#Policy")
    read = text.partition("looked up, or set, in what it is given:\n")[2].splitlines()
    assert "        opt: opt.nfeature, opt.decoder(2 arguments)" in read
    assert "        images: images.view(2 arguments).mean(), images.size(1 argument)" in read
    assert "        states: states.norm()" in read and "nothing" not in text


def test_each_field_is_told_before_more_of_one(tmp_path: Path) -> None:
    body = "".join(f"    model.run({n}).step_{n}()\n" for n in range(40))
    source = f"def f(model):\n{body}    if hasattr(model, 'cost'):\n        model.cost(1)\n    return model.rate\n"
    text = told(tmp_path, {"out.py": source}, "out.py#f")
    (read,) = text.partition("looked up, or set, in what it is given:\n")[2].splitlines()
    assert read.startswith("        model: model.run(1 argument).step_0(), model.run(1 argument).step_1(), ")
    assert read.endswith("model.run(1 argument).step_21(), model.cost(1 argument), model.rate")


WAYS = """
def layer(model, at):
    return model.layers[at].mlp


def down(model, at):
    \"\"\"The last matrix.\"\"\"
    own = layer(model, at)
    return own.down


def either(model):
    if model.deep:
        return model.one
    return model.other


def round_and_round(model):
    return round_and_round(model).up


def f(model, other):
    return down(model, 3).weight.sum() + either(other).size + round_and_round(other).depth
"""


def test_what_is_looked_up_in_what_helpers_reach_for(tmp_path: Path) -> None:
    """Of a helper that ends in two places it is not known which of them is meant."""
    text = told(tmp_path, {"out.py": WAYS}, "out.py#f")
    assert "        model: model.layers[…].mlp.down.weight.sum()\n" in text
    assert "        other: other.deep, other.one, other.other" in text
    assert ".size" not in text and ".depth" not in text
