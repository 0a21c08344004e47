"""What the writer of a module and its reviewer are told: the same of what may go, and each what the other needs."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from rewrite.samples import PLAIN, SLOPPY, accept, answer, refuse
from servers.model import ModelServer

from agents.rewrite import Cause, Rewrite, Stop, Task, Trials
from agents.rewrite.absent import probe
from agents.rewrite.shown import changed, undefined
from prompts import prompt

WRITERS = ("module_leaf", "module_composite", "module_repair")


def shown(server: ModelServer, number: int) -> str:
    text: str = server.bodies[number]["messages"][1]["content"]
    return text


@pytest.mark.sandbox
def test_the_reviewer_sees_what_changed_and_what_the_writer_says_of_it(
    server: ModelServer, task: Callable[..., Task], run: Callable[..., Rewrite]
) -> None:
    told = PLAIN.replace("value + 1", "1 + value")
    server.say(answer(told, changes=["the sum turned round"]), accept())
    assert run(task("untested")).stop == Stop.ACCEPTED
    text = shown(server, 1)
    assert "the sum turned round" in text
    assert "-    return value + 1\n+    return 1 + value\n" in text


@pytest.mark.sandbox
def test_what_a_repair_changed_is_added_to_what_the_module_changed(
    server: ModelServer, task: Callable[..., Task], run: Callable[..., Rewrite]
) -> None:
    server.say(
        answer(PLAIN, changes=["its class was dropped"]), refuse("a word is missing"),
        answer(f'"""It."""\n{PLAIN}', changes=["a word more"]), accept(),
    )  # fmt: skip
    made = run(task("untested"))
    assert made.changes == ("its class was dropped", "a word more")
    assert "its class was dropped" in shown(server, 2), "who repairs it knows what was meant"
    assert "its class was dropped\na word more" in shown(server, 3)


@pytest.mark.sandbox
def test_names_that_the_original_never_binds_are_told_to_all(
    server: ModelServer, task: Callable[..., Task], run: Callable[..., Rewrite]
) -> None:
    one = task("untested")
    files = {path: text.replace("return value + 1", "return value + offset") for path, text in one.module.files.items()}
    one = Task(one.unit, one.module.model_copy(update={"files": files}), one.file, one.names, one.definitions)
    server.say(answer(SLOPPY), answer(PLAIN), accept())
    run(one)
    for number in range(3):
        assert "binds nowhere" in server.bodies[number]["messages"][1]["content"]
        assert "offset" in shown(server, number).partition("binds nowhere")[2].partition("The original, cut")[0]


def holding(one: Task, head: str, text: str) -> Task:
    """The task whose original has a `head`, and a `text` in the place of its last line."""
    files = {path: head + code.replace("return value + 1", text) for path, code in one.module.files.items()}
    return replace(one, module=one.module.model_copy(update={"files": files}))


@pytest.mark.sandbox
def test_what_is_not_installed_in_this_version_is_told_to_all(
    server: ModelServer, task: Callable[..., Task], run: Callable[..., Rewrite]
) -> None:
    older = "return value.as_legacy() if isinstance(value, collections.Mapping) else collections.Counter([value])"
    server.say(answer(SLOPPY), answer(PLAIN), accept())
    run(holding(task("untested"), "import collections\n", older))
    for number in range(3):
        told = shown(server, number).partition("does not have")[2].partition("The original, cut")[0]
        assert "collections.Mapping" in told
        assert "Counter" not in told


@pytest.mark.sandbox
def test_nothing_is_told_of_what_is_there(trials: Trials, task: Callable[..., Task]) -> None:
    assert trials.absent(task("untested")) == ()
    text = "return os.path.join(str(value), collections.abc.Mapping.__name__)"
    assert trials.absent(holding(task("untested"), "import os.path, collections.abc\n", text)) == ()
    assert trials.absent(holding(task("untested"), "from os import _exit as leave\n", "return leave.__doc__")) == ()
    assert trials.absent(holding(task("untested"), "from no_such import it\n", "return it.x.y")) == ("no_such.it",)


def looked_for(text: str) -> set[str]:
    return {*probe({"here.py": text}).paths}


def test_what_a_file_takes_of_modules_that_are_not_its_own() -> None:
    assert looked_for("import numpy as np\nx = np.random.rand(2)\nnp.mine = 3\n") == {
        "numpy", "numpy.random", "numpy.random.rand",
    }  # fmt: skip
    assert looked_for("import a.b, a.c\nprint(a.b.x, a.c.y)") == {"a", "a.b", "a.b.x", "a.c", "a.c.y"}
    assert looked_for("def f():\n    from m.n import K\n    return K.make().then") == {"m.n.K", "m.n.K.make"}
    assert looked_for("from a import *\nfrom .b import c\nfrom . import d\nprint(c.x, d.y, z.w)") == set()
    for other in ("k = None", "def k(): pass", "def f(k): k.x", "from n import k", "for k in (): pass"):
        assert "m.k.x" not in looked_for(f"from m import k\n{other}\nk.x\n"), other
    assert probe({"a.py": "import b\nb.x", "b.py": "x = 1"}).paths == {}


def test_only_the_first_that_is_missing_is_told() -> None:
    looked = probe({"a.py": "from m import k\nk.x.y\nk.z\nimport m.o as o\no.p"})
    assert looked.text == "from m import k as _0\nimport m.o as _1\n"
    assert looked.lacking({"_0", "_0.z", "_1", "_1.p"}) == ["m.k.x"]
    assert looked.lacking({"_1"}) == ["m.k", "m.o.p"]


def test_what_only_the_file_binds_is_not_undefined(task: Callable[..., Task]) -> None:
    assert undefined(task()) == ()


def test_a_module_that_is_the_original_has_no_changes(task: Callable[..., Task]) -> None:
    one = task("untested")
    (text,) = (text for path, text in one.module.files.items() if "def untested" in text)
    assert changed(one, text) == ""


def test_of_what_a_module_leaves_out_the_head_is_shown(task: Callable[..., Task]) -> None:
    one = task("untested")
    long = "".join(f"    x = x + {n}\n" for n in range(30))
    before = f"def other(x):\n{long}    return x\n\n\ndef step(x):\n    return x * 2\n\n\n{PLAIN}"
    one = Task(
        one.unit, one.module.model_copy(update={"files": {"a.py": before}}), one.file, one.names, one.definitions
    )
    found = changed(one, f"def _step(x):\n    return x * 3\n\n\n{PLAIN}")
    assert "-def other(x): … 32 lines" in found and "x + 7" not in found
    assert "-def step(x):\n-    return x * 2\n+def _step(x):\n+    return x * 3\n" in found
    short = before.replace(long, "")
    one = Task(one.unit, one.module.model_copy(update={"files": {"a.py": short}}), one.file, one.names, one.definitions)
    assert "-def other(x):\n-    return x\n" in changed(one, PLAIN)


def test_of_members_that_a_class_of_the_module_lacks_the_head_is_shown(task: Callable[..., Task]) -> None:
    one = task("untested")
    long = "".join(f"        x = x + {n}\n" for n in range(30))
    kept = "class A:\n    def stay(self, x):\n        return x\n"
    drawn = f"\n    @staticmethod\n    async def draw(x):\n{long}\n    def short(self):\n        return 1\n"
    files = {"a.py": f"{kept}{drawn}\n\n{PLAIN}"}
    one = Task(one.unit, one.module.model_copy(update={"files": files}), one.file, one.names, one.definitions)
    found = changed(one, f"{kept.replace('return x', 'return -x')}\n\n{PLAIN}")
    assert "-    async def draw(x): … 31 lines" in found and "x + 7" not in found
    assert "-        return x\n" in found and "-        return 1" in found
    assert "x + 7" in changed(one, f"{kept}{drawn.replace('+ 7', '+ 8')}\n\n{PLAIN}")


def test_a_name_that_stands_twice_in_a_class_hides_no_member_that_stays(task: Callable[..., Task]) -> None:
    one = task("untested")
    body = "".join(f"        x = {n}\n" for n in range(9))
    setter = f"    @property\n    def a(self):\n{body}\n    def stay(self):\n        return 1\n\n"
    setter += f"    @a.setter\n    def a(self, y):\n{body}\n    def gone(self):\n{body}"
    files = {"a.py": f"class A:\n{setter}\n\n{PLAIN}"}
    one = Task(one.unit, one.module.model_copy(update={"files": files}), one.file, one.names, one.definitions)
    found = changed(one, f"class A:\n    def stay(self):\n        return 2\n\n\n{PLAIN}")
    assert "-        return 1\n" in found and "+        return 2\n" in found and "x = 7" not in found


@pytest.mark.parametrize("shared", ['a = 1; b = """\nx\n"""\n', "a = 1; b = [\n1]\n"])
def test_two_statements_may_share_a_line(task: Callable[..., Task], shared: str) -> None:
    assert "+a = 1; b" in changed(task("untested"), f"{shared}\n{PLAIN}")


@pytest.mark.parametrize("mark", ["\f", "\x1c", "\u2028"])
def test_what_is_no_end_of_a_line_for_python_hides_no_change(task: Callable[..., Task], mark: str) -> None:
    one = task("untested")
    head = "\n".join(f"NAME_{n} = '{'' if mark == chr(12) else mark}'  # {mark}" for n in range(9))
    text = f"{head}\n\n\n{PLAIN}"
    one = Task(one.unit, one.module.model_copy(update={"files": {"a.py": text}}), one.file, one.names, one.definitions)
    assert changed(one, text) == ""
    assert "+    return value - 1" in changed(one, text.replace("value + 1", "value - 1"))


@pytest.mark.parametrize("name", [*WRITERS, "module_review"])
def test_writer_and_reviewer_are_told_the_same_of_what_may_go(name: str) -> None:
    text = " ".join(Path(f"prompts/{name}.md").read_text().split())
    assert "members that the technique does not need may go" in text.lower()
    assert prompt(name).version > 2


@pytest.mark.parametrize("left_out", ["printing", "plotting", "logging", "downloads", "caches", "dead branches"])
@pytest.mark.parametrize("name", ["module_leaf", "module_composite", "module_review"])
def test_what_a_writer_is_to_leave_out_a_reviewer_does_not_miss(name: str, left_out: str) -> None:
    text = " ".join(Path(f"prompts/{name}.md").read_text().split())
    assert left_out in text


def test_of_a_method_a_reviewer_asks_for_no_more_of_its_class_than_its_writer() -> None:
    writer, reviewer = (
        " ".join(Path(f"prompts/{name}.md").read_text().split()) for name in ("module_leaf", "module_review")
    )
    assert "Of a method, define its class, as much of it as the method needs" in writer
    assert "Of a method, its class need have no more than the method needs" in reviewer


@pytest.mark.sandbox
def test_a_writer_is_told_what_the_original_runs_with(
    server: ModelServer, task: Callable[..., Task], run: Callable[..., Rewrite]
) -> None:
    server.say(answer(SLOPPY), answer(PLAIN), accept())
    run(task("untested"))
    for number in range(2):
        assert re.search(r"What it runs with:\n<data[^>]*>\s*Python 3\.\d+", shown(server, number))


@pytest.mark.sandbox
def test_a_model_may_say_that_no_module_can_be_made(
    server: ModelServer, task: Callable[..., Task], run: Callable[..., Rewrite]
) -> None:
    server.say({"declined": "its work is done by a\nservice"})
    made = run(task("untested"))
    assert (made.stop, made.answer, made.calls) == (Stop.DECLINED, None, 1)
    assert made.finding and made.finding.cause == Cause.DECLINED
    assert made.finding.said == "the model made none: its work is done by a service"


@pytest.mark.sandbox
def test_a_repair_that_is_declined_leaves_what_was_found(
    server: ModelServer, task: Callable[..., Task], run: Callable[..., Rewrite]
) -> None:
    server.say(answer("def untested(value:"), {"declined": "nothing helps"})
    made = run(task("untested"))
    assert made.stop == Stop.DECLINED and made.source == "def untested(value:"
    assert made.finding and made.finding.cause == Cause.NOT_PYTHON


@pytest.mark.sandbox
def test_a_definition_that_runs_on_for_pages_is_cut(
    server: ModelServer, task: Callable[..., Task], run: Callable[..., Rewrite]
) -> None:
    server.say(answer(PLAIN), accept())
    run(replace(task("untested"), definitions=("a word " * 5_000,)))
    assert len(shown(server, 0)) < 10_000
