"""Blocks that do not run to their end: what stopped them, and where."""

import pytest
from block_samples import Judge

pytestmark = pytest.mark.sandbox

FAILURES = {
    "missing module": ("import foo_bar_baz", "missing module", "test:1"),
    "missing file": ("\nopen('data/train.csv')", "missing data or weights", "test:2"),
    "network": (
        "import urllib.request\nurllib.request.urlopen('http://10.255.255.1/x', timeout=5)",
        "network needed",
        "test:2",
    ),
    "name resolution": (
        "import socket\nsocket.create_connection(('localhost.example', 80))",
        "network needed",
        "test:2",
    ),
    "gpu": (
        "raise RuntimeError('Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU')",
        "GPU needed",
        "test:1",
    ),
    "assertion": ("x = mean([1, 2])\n\nassert x == 7, 'wrong'", "assertion", "test:3"),
    "assertion in a unittest": (
        "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(mean([1, 2]), 7)\n"
        "unittest.main()",
        "assertion",
        "test:4",
    ),
    "error in a unittest": (
        "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        mean([])\nunittest.main()",
        "other error",
        "implementation:7",
    ),
    "in the implementation": ("mean([])", "other error", "implementation:7"),
    "syntax": ("def f(:\n    pass", "syntax", "test:1"),
    "python 2": ("print 'two'", "syntax", "test:1"),
    "old name": ("import collections\ncollections.Mapping", "version conflict", "test:2"),
    "memory at once": ("x = bytearray(64 << 30)", "memory", "test:1"),
    "asks": ("input('name? ')", "other error", "test:1"),
    "exit code": ("import sys\nsys.exit(3)", "other error", "test:2"),
    "exit with a text": ("import sys\nsys.exit('it went wrong')", "other error", "test:2"),
    "signal": ("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)", "other error", None),
    "after its end": ("import atexit, os\natexit.register(os._exit, 3)", "other error", None),
    "recursion": ("def f():\n    f()\nf()", "other error", "test:2"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_has_its_class_and_its_line(judge: Judge, name: str) -> None:
    test, failure, line = FAILURES[name]
    judgement = judge(test)
    assert (judgement.verdict, judgement.failure, judgement.line) == ("failed", failure, line), judgement.reason
    assert judgement.mutants == 0
    assert judgement.execution is not None


@pytest.mark.parametrize(
    "test",
    [
        "while True:\n    pass",
        "import time\ntime.sleep(3600)\nassert mean([1]) == 1",
        "import signal, time\nfor n in range(1, 32):\n    try:\n        signal.signal(n, signal.SIG_IGN)\n"
        "    except OSError:\n        pass\ntime.sleep(3600)",
        "import threading, time\nthreading.Thread(target=time.sleep, args=(3600,)).start()",
        "import os\nwhile True:\n    print('x' * 10_000)",
    ],
)
def test_what_never_ends_is_a_timeout(judge: Judge, test: str) -> None:
    judgement = judge(test, seconds=3.0)
    assert (judgement.verdict, judgement.failure) == ("failed", "timeout"), judgement.reason


def test_memory_bit_by_bit(judge: Judge) -> None:
    judgement = judge("hoard = []\nwhile True:\n    hoard.append(bytearray(50_000_000))", seconds=60.0)
    assert (judgement.verdict, judgement.failure) == ("failed", "memory"), judgement.reason


def test_a_failing_block_keeps_its_traceback(judge: Judge) -> None:
    judgement = judge("print('before')\nmean([])")
    assert "ZeroDivisionError" in judgement.reason
