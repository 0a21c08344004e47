"""Looking into the interpreter that runs a job is told at once, by what and where; what libraries do is not."""

import pytest

from agents.execution.environments import EnvironmentSpec, build_environment
from agents.execution.harness import Harness, Job, Workspace
from agents.execution.sandbox import open_sandbox
from kg.config import load_settings

pytestmark = pytest.mark.sandbox
MIB = 1024 * 1024
LOOKS = {
    "frames": ("import sys\nsys._getframe()", "sys._getframe", 2),
    "frames by inspect": ("import inspect\n\ninspect.currentframe()", "sys._getframe", 3),
    "frames of all threads": ("import sys\nsys._current_frames()", "sys._current_frames", 2),
    "frames of an exception": (
        "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    error.__traceback__.tb_frame", "tb_frame", 4,
    ),
    "frames of a generator": ("steps = (n for n in (1, 2))\nsteps.gi_frame", "gi_frame", 2),
    "all objects": ("import gc\nprint(len(gc.get_objects()))", "gc.get_objects", 2),
    "all objects in a text": ("exec('import gc; gc.get_objects()')", "gc.get_objects", 1),
    "who refers": ("import gc\nlist(map(gc.get_referrers, [1]))", "gc.get_referrers", 2),
    "machine code": ("import ctypes\nctypes.pythonapi.Py_Exit", "ctypes.dlsym", 2),
    "another function": ("def one(): pass\none.__code__ = (lambda: 1).__code__", "__code__", 2),
    "memory": ("try:\n    open('/proc/self/mem')\nexcept OSError:\n    pass", "/proc/self/mem", 2),
    "another program": ("import os\nos.execv('/bin/true', ['true'])", "os.exec", 2),
}  # fmt: skip
PLAIN = """
import collections, ctypes, dataclasses, enum, gc, inspect, logging, traceback, typing, uuid, warnings
pair = collections.namedtuple("pair", "one two")(1, 2)
kind = dataclasses.make_dataclass("kind", ["one"])(3)
logging.basicConfig(level="INFO")
logging.getLogger("here").info("%s %s", inspect.signature(pair._replace), inspect.getsource(inspect.signature))
warnings.warn("careful", stacklevel=2)
try:
    1 / 0
except ZeroDivisionError:
    traceback.print_exc()
gc.collect()
enum.Enum("Colour", "RED"), typing.NamedTuple("One", [("one", int)]), uuid.uuid4(), ctypes.c_int(3)
"""


@pytest.fixture(scope="module")
def harness(_own_environment: None) -> Harness:
    bare = build_environment(EnvironmentSpec(python="3.11", strategy="no packages"), load_settings())
    return Harness(bare, open_sandbox(load_settings(), "bubblewrap"), 1024 * MIB)


def looked_into(harness: Harness, text: str) -> list[tuple[object, object]]:
    given = {"script": "s.py", "write": {"s.py": text}, "test_line": 1, "quick": True}
    (result,) = harness.run([Job("one", "script", 20, given)], Workspace(fresh=True), 60).results.values()
    return [(event.get("what"), event.get("at")) for event in result.of("introspected")]


@pytest.mark.parametrize("name", LOOKS)
def test_who_looks_is_told(harness: Harness, name: str) -> None:
    text, what, line = LOOKS[name]
    assert looked_into(harness, text)[:1] == [(what, ["s.py", line])]


def test_what_libraries_do_for_everybody_is_not(harness: Harness) -> None:
    assert looked_into(harness, PLAIN) == []
