"""Blocks that pretend: none may be called verified, whatever they do to the process that judges them.

Each test of ``deceits.txt`` makes wrong code look right, or would if it were believed.
"""

import hashlib
from typing import Any

import pytest
from block_samples import ASSERTS, IMPLEMENTATION, Judge, load

pytestmark = pytest.mark.sandbox

DECEITS = load("deceits.txt")
REASONS = {
    "leaves at once": "before its last statement",
    "exits at once": "before its last statement",
    "exits in a function": "before its last statement",
    "stops what watches": "before its last statement",
    "says it everywhere": "before its last statement",
    "looks through frames": "looks into what runs it (sys._getframe)",
    "writes a report that is none": "looks into what runs it (sys._getframe)",
    "its own functions": "test too weak",
    "knows its own text": "judges the text of the code",
    "knows its own code": "judges the text of the code",
    "counts its runs": "test too weak",
    "knows the order of its runs": "looks into what runs it (ctypes.dlopen)",
    "a server that counts": "test too weak",
}


def deceit(name: str) -> tuple[str, str]:
    """Test and implementation; two know the hash of what they judge."""
    implementation, test = IMPLEMENTATION, DECEITS[name]
    if name == "knows its own text":
        test = test.replace("HASH", repr(hashlib.sha256(implementation.encode()).hexdigest()))
        implementation += "# ---\n"
    if name == "knows its own code":
        namespace: dict[str, Any] = {}
        exec(implementation, namespace)  # noqa: S102 -- our own sample
        code = b"".join(namespace[function].__code__.co_code for function in ("mean", "clip"))
        test = test.replace("HASH", repr(hashlib.sha256(code).hexdigest()))
    return test, implementation


@pytest.mark.parametrize("name", DECEITS)
def test_no_deceit_is_verified(judge: Judge, name: str) -> None:
    judgement = judge(*deceit(name), seconds=5.0, total=240.0 if name in REASONS else 20.0)
    assert judgement.verdict in {"unverified", "failed"}, judgement.reason
    if name in REASONS:
        assert REASONS[name] in judgement.reason


def test_the_same_test_without_deceit_verifies(judge: Judge) -> None:
    assert judge(ASSERTS).verdict == "verified"
