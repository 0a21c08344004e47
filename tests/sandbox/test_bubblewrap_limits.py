"""Each limit ends a run, is named, and is one of the whole run."""

import pytest
from bubblewrap_boxes import MIB, python

from agents.execution.sandbox import Limits
from agents.execution.sandbox.bubblewrap import BubblewrapSandbox

pytestmark = pytest.mark.sandbox

FORKS = "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass"
HOLD = "import os, time\nfor _ in range(5):\n    if os.fork() == 0: break\nkept = b'x' * (40 << 20)\ntime.sleep(8)"
MAPPED = "import mmap, time\nm = mmap.mmap(-1, 300 << 20)\nfor i in range(0, len(m), 4096): m[i] = 1\ntime.sleep(8)"
WRITE = "f = open({!r}, 'wb')\nwhile True:\n    f.write(b'x' * 100000)"
NAMES = "import itertools\nfor i in itertools.count(): open('{}%d' % i, 'w').close()"
FLOOD = "import sys\nwhile True: sys.{}.write('x' * 10000)"
SPIN = "import os\nos.fork()\nwhile True: pass"


@pytest.mark.parametrize(
    ("limit", "code", "limits"),
    [
        ("wall", "import time; time.sleep(60)", Limits(wall=0.5)),
        ("cpu", SPIN, Limits(wall=20, cpu=0.5)),
        ("memory", HOLD, Limits(wall=20, memory=120 * MIB)),
        ("memory", MAPPED, Limits(wall=20, memory=120 * MIB)),
        ("pids", FORKS, Limits(wall=20, pids=30)),
        ("disk", WRITE.format("a"), Limits(wall=20, disk=5 * MIB)),
        ("disk", WRITE.format("/tmp/a"), Limits(wall=20, disk=5 * MIB)),  # noqa: S108
        ("disk", NAMES.format(""), Limits(wall=20, disk=5 * MIB)),
        ("disk", NAMES.format("/dev/shm/"), Limits(wall=20, disk=5 * MIB)),  # noqa: S108 -- of the sandbox
        ("output", FLOOD.format("stdout"), Limits(wall=20, output=100_000)),
        ("output", FLOOD.format("stderr"), Limits(wall=20, output=100_000)),
    ],
)
def test_a_limit_ends_the_run_and_is_named(box: BubblewrapSandbox, limit: str, code: str, limits: Limits) -> None:
    result = python(box, code, limits)
    assert result.limit == limit, result
    assert not result.passed
    assert len(result.stdout) <= limits.output
    assert len(result.stderr) <= limits.output
    assert sum(output.size for output in result.outputs) <= limits.disk + 64 * 1024


def test_what_is_below_the_limits_passes(box: BubblewrapSandbox) -> None:
    code = (
        "import os, sys, threading, time\n"
        "for _ in range(20): threading.Thread(target=time.sleep, args=(0.3,)).start()\n"
        "open('a', 'wb').write(b'x' * (4 << 20)); sys.stdout.write('x' * 90000); kept = b'x' * (40 << 20)"
    )
    result = python(box, code, Limits(wall=20, pids=24, disk=5 * MIB, output=100_000, memory=100 * MIB, cpu=15))
    assert result.passed, result


def test_more_threads_than_allowed_are_refused(box: BubblewrapSandbox) -> None:
    code = (
        "import os, threading, time\nn = 1\ntry:\n    while n < 500:\n"
        "        threading.Thread(target=time.sleep, args=(2,), daemon=True).start(); n += 1\n"
        "except RuntimeError:\n    pass\nos.write(1, str(n).encode()); os._exit(0)"
    )
    result = python(box, code, Limits(wall=20, pids=30))
    assert result.limit == "pids" or int(result.stdout) < 60


def test_sparse_files_count_as_large_as_they_say(box: BubblewrapSandbox, tmp_path: str) -> None:
    one = python(box, "open('a', 'wb').truncate(1 << 40)", Limits(wall=20, disk=5 * MIB))
    assert "File too large" in one.stderr
    many = python(box, "[open(str(i), 'wb').truncate(5 << 20) for i in range(50)]", Limits(wall=20, disk=5 * MIB))
    assert many.limit == "disk"
    assert len(many.outputs) <= 1


def test_memory_that_no_process_shows_is_not_to_be_had_where_processes_are_counted(box: BubblewrapSandbox) -> None:
    code = "import os\nf = os.memfd_create('a')\nfor _ in range(400): os.write(f, b'x' * (1 << 20))"
    result = python(box, code, Limits(wall=20, memory=100 * MIB))
    assert result.limit == "memory" or "Operation not permitted" in result.stderr
