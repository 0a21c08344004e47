"""What of a unit's body a model is shown where there is no room for all of it."""

from collections.abc import Callable

from agents.code.units import CodeBase
from ingest.ground import CodeIndex, Ranking
from ingest.ground.judged import Shelf
from ingest.ground.judged.shown import outline, view


def test_a_body_keeps_its_length_and_what_opens_a_unit(
    code: Callable[..., CodeBase], ask: Callable[..., Ranking]
) -> None:
    body = "\n".join(f"        self.value_{n} = {n}" for n in range(100))
    source = f'class Tree:\n    """Doc."""\n\n    def grow(self):\n{body}\n\n    def cut(self):\n        return 7\n'
    base = code({"a.py": source})
    unit = next(unit for unit in base.units if unit.symbol == "Tree")
    text = view(unit, 400)
    assert len(text) < 700
    assert '"""Doc."""' not in text
    assert "   1 class Tree:" in text
    assert "def cut(self):" in text
    assert "… " in text
    assert outline(CodeIndex(base), 1_000) == "a.py: Tree"
    more = {
        "a.py": source,
        "examples/all.py": "def whole():\n    return 1\n",
        "tests/test_a.py": "def test_a():\n    pass\n",
    }
    assert outline(CodeIndex(code(more)), 1_000) == "a.py: Tree\nexamples/all.py: whole"
    shelf = Shelf(ask(base, "cutting a tree"))
    assert shelf.wanted("a.py#Tree.cut", 0) == shelf.wanted("Tree.cut", 0) != ()
    assert shelf.wanted("b.py", 0) == ()


def test_a_method_may_be_asked_for_by_its_own_name(code: Callable[..., CodeBase], ask: Callable[..., Ranking]) -> None:
    source = "class {}:\n    def cut(self):\n        return 7\n\n    def grow_{}(self):\n        return 8\n"
    base = code({"a.py": source.format("Tree", "tree"), "b.py": source.format("Bush", "bush")})
    shelf = Shelf(ask(base, "cutting a tree"))
    told = {text: {base.units[row].id for row in shelf.wanted(text, 0)} for text in (
        "a.py#cut", "a.py#cut()", "grow_bush", "cut", "b.py#grow_tree", "a.py#cu", "a.py#Tree.cut",
    )}  # fmt: skip
    assert told["a.py#cut"] == told["a.py#cut()"] == told["a.py#Tree.cut"] == {"a.py#Tree.cut"}
    assert told["grow_bush"] == {"b.py#Bush.grow_bush"}
    assert told["cut"] == {"a.py#Tree.cut", "b.py#Bush.cut"}
    assert told["b.py#grow_tree"] == told["a.py#cu"] == set()


def test_of_a_long_body_the_lines_about_the_technique_are_shown_and_options_last(code: Callable[..., CodeBase]) -> None:
    options = "\n".join(f"    parser.add_argument('--option{n}')" for n in range(40))
    plain = "\n".join(f"    value_{n} = {n}" for n in range(40))
    source = f"def main(parser):\n    import os\n{options}\n{plain}\n    slot = draw()\n    reservoir[slot] = os\n"
    unit = code({"a.py": source}).units[0]
    assert "reservoir[slot]" not in view(unit, 400)
    text = view(unit, 400, {"reservoir": 2.0})
    assert "reservoir[slot] = os" in text
    assert "slot = draw()" in text
    assert "value_0" in text
    assert "add_argument" not in text
    assert "import os" not in text


def test_what_was_quoted_is_shown_and_comments_come_last(code: Callable[..., CodeBase]) -> None:
    lines = "\n".join(f"    # keep a slot of the reservoir, {n}\n    total = step({n})" for n in range(60))
    base = code({"a.py": f"def keep():\n    total = 0\n{lines}\n    return total\n"})
    unit = next(unit for unit in base.units if unit.symbol == "keep")
    text = view(unit, 600, {"slot": 2.0, "reservoir": 2.0}, ["total  = step(47)"])
    assert "total = step(47)" in text
    assert "total = step(1)" in text
    assert "# keep a slot" not in text


def test_a_bracket_is_no_quoted_line_and_a_factor_no_comment(code: Callable[..., CodeBase]) -> None:
    calls = "\n".join(f"    use_{n}(\n        {n}\n    )" for n in range(150))
    end = "    slot = pick(draw(k), k)\n    return (\n        k\n        * focal(k)\n    )\n"
    base = code({"a.py": f"def keep(k):\n{calls}\n{end}"})
    unit = next(unit for unit in base.units if unit.symbol == "keep")
    text = view(unit, 400, {"focal": 3.0}, ["slot = pick(draw(k), k)"])
    assert "slot = pick(draw(k), k)" in text
    assert "* focal(k)" in text


def test_one_long_line_does_not_fill_the_prompt(code: Callable[..., CodeBase]) -> None:
    base = code({"a.py": f'def f(x="{"y" * 50_000}"):\n    return x\n' + "def g():\n    return 1\n" * 500})
    assert len(view(base.units[0], 400)) < 500
    assert len(outline(CodeIndex(base), 300)) <= 300
