"""What a person reads of a unit that no test reaches, though a test calls something by its name."""

from collections.abc import Mapping

import pytest

from agents.code.units import read_units
from agents.code.verify import Verifier
from agents.execution.sandbox import open_sandbox
from kg.config import load_settings
from kg.models.execution import Judgement

pytestmark = pytest.mark.sandbox

DOUBLE = "def double(value):\n    return value * 2\n"
FILES = {
    "linked/good.py": DOUBLE,
    "linked/bad.py": DOUBLE.replace("*", "+ 0 *"),
    "tests/test_linked.py": "from linked.chosen import double\n\n\ndef test_linked():\n    assert double(0) == 0\n",
    "second/__init__.py": "",
    "second/first.py": DOUBLE.replace("double", "half"),
    "second/other.py": DOUBLE.replace("double", "half"),
    "tests/test_second.py": "from second.other import half\n\n\ndef test_second():\n    assert half(0) == 0\n",
    "taken.py": (
        "def use(other):\n    return lambda function: other\n\n\ndef real(value):\n    return value\n\n\n"
        "@use(real)\ndef taken(value):\n    return value + 1\n"
    ),
    "tests/test_taken.py": "from taken import taken\n\n\ndef test_taken():\n    assert taken(0) == 0\n",
    "shadowed.py": "def late(value):\n    return value + 1\n\n\nfrom later import late\n",
    "later.py": "def late(value):\n    return value\n",
    "tests/test_late.py": "from shadowed import late\n\n\ndef test_late():\n    assert late(0) == 0\n",
    "alone.py": "def alone(value):\n    return value + 1\n",
}
LINKS = {"linked/chosen.py": "bad.py"}


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Judgement]:
    folder = tmp_path_factory.mktemp("unreached")
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    for path, target in LINKS.items():
        (folder / path).symlink_to(target)
    settings, codebase = load_settings(), read_units(folder)
    units = [unit for unit in codebase.units if unit.role != "test" and unit.kind == "function"]
    judge = Verifier(folder, codebase, open_sandbox(settings, "bubblewrap"), settings).judge(units)
    return {unit.id: one.judgement for unit, one in zip(units, judge, strict=True)}


@pytest.mark.parametrize(
    ("unit", "said"),
    [
        ("linked/good.py#double", "tests/test_linked.py::test_linked, which names it, reaches linked/bad.py#double"),
        ("second/first.py#half", "tests/test_second.py::test_second, which names it, reaches second/other.py#half"),
        ("taken.py#taken", "tests/test_taken.py::test_taken, which names it, reaches taken.py#real"),
        ("shadowed.py#late", "tests/test_late.py::test_late, which names it, reaches later.py#late"),
    ],
)
def test_what_a_test_reaches_instead_is_said(judged: Mapping[str, Judgement], unit: str, said: str) -> None:
    assert judged[unit].verdict == "unverified"
    assert judged[unit].reason == f"no test of the repository reaches it (4 passed); {said} instead"


def test_of_what_no_test_names_nothing_is_said(judged: Mapping[str, Judgement]) -> None:
    assert judged["alone.py#alone"].reason == "no test of the repository reaches it (4 passed)"
