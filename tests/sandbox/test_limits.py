"""Each limit ends a run, is named, and is one of the whole run, however it is kept."""

import pytest
from boxes import MIB, python

from agents.execution.sandbox import Limits, Sandbox, open_sandbox
from kg.config import Settings

FORKS = "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass"
HOLD = "import os, time\nfor _ in range(5):\n    if os.fork() == 0: break\nkept = b'x' * (40 << 20)\ntime.sleep(8)"
MAPPED = "import mmap, time\nm = mmap.mmap(-1, 300 << 20)\nfor i in range(0, len(m), 4096): m[i] = 1\ntime.sleep(8)"
WRITE = "f = open({!r}, 'wb')\nwhile True:\n    f.write(b'x' * 100000)"
NAMES = "import itertools\nfor i in itertools.count(): open('{}%d' % i, 'w').close()"
FLOOD = "import sys\nwhile True: sys.{}.write('x' * 10000)"
SPIN = "import os\nos.fork()\nwhile True: pass"
THREADS = "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(60,), daemon=True).start()"
DEAF = "import signal, time\nfor n in set(signal.Signals) - {9, 19}: signal.signal(n, signal.SIG_IGN)\ntime.sleep(60)"
CHILD = "import subprocess; subprocess.run(['python3', '-c', \"x = b'x' * (1 << 30)\"]); print('on')"


@pytest.mark.parametrize(
    ("limit", "code", "limits"),
    [
        ("wall", "import time; time.sleep(60)", Limits(wall=0.5)),
        ("wall", DEAF, Limits(wall=1)),
        ("cpu", "while True: pass", Limits(wall=20, cpu=0.5)),
        ("cpu", SPIN, Limits(wall=20, cpu=0.5)),
        ("memory", HOLD, Limits(wall=20, memory=120 * MIB)),
        ("memory", MAPPED, Limits(wall=20, memory=120 * MIB)),
        ("memory", "x = b'x' * (1 << 30)", Limits(wall=20, memory=300 * MIB)),
        ("memory", CHILD, Limits(wall=20, memory=300 * MIB)),
        ("pids", FORKS, Limits(wall=20, pids=30)),
        ("disk", WRITE.format("a"), Limits(wall=20, disk=5 * MIB)),
        ("disk", WRITE.format("/tmp/a"), Limits(wall=20, disk=5 * MIB)),  # noqa: S108
        ("disk", NAMES.format(""), Limits(wall=20, disk=5 * MIB)),
        ("disk", NAMES.format("/dev/shm/"), Limits(wall=20, disk=5 * MIB)),  # noqa: S108 -- of the sandbox
        ("output", FLOOD.format("stdout"), Limits(wall=20, output=100_000)),
        ("output", FLOOD.format("stderr"), Limits(wall=20, output=100_000)),
    ],
)
def test_a_limit_ends_the_run_and_is_named(limiting: Sandbox, limit: str, code: str, limits: Limits) -> None:
    result = python(limiting, code, limits)
    assert result.limit == limit, result
    assert not result.passed
    assert len(result.stdout) <= limits.output
    assert len(result.stderr) <= limits.output
    assert sum(output.size for output in result.outputs) <= limits.disk + 64 * 1024


def test_what_is_below_the_limits_passes(limiting: Sandbox) -> None:
    code = (
        "import os, sys, threading, time\n"
        "for _ in range(20): threading.Thread(target=time.sleep, args=(0.3,)).start()\n"
        "open('a', 'wb').write(b'x' * (4 << 20)); sys.stdout.write('x' * 90000); kept = b'x' * (40 << 20)"
    )
    result = python(limiting, code, Limits(wall=20, pids=24, disk=5 * MIB, output=100_000, memory=100 * MIB, cpu=15))
    assert result.passed, result


def test_more_threads_than_allowed_are_refused(limiting: Sandbox) -> None:
    code = (
        "import os, threading, time\nn = 1\ntry:\n    while n < 500:\n"
        "        threading.Thread(target=time.sleep, args=(2,), daemon=True).start(); n += 1\n"
        "except RuntimeError:\n    pass\nos.write(1, str(n).encode()); os._exit(0)"
    )
    result = python(limiting, code, Limits(wall=20, pids=30))
    assert result.limit == "pids" or int(result.stdout) < 60


def test_sparse_files_count_as_large_as_they_say(limiting: Sandbox, tmp_path: str) -> None:
    one = python(limiting, "open('a', 'wb').truncate(1 << 40)", Limits(wall=20, disk=5 * MIB))
    assert "File too large" in one.stderr
    many = python(limiting, "[open(str(i), 'wb').truncate(5 << 20) for i in range(50)]", Limits(wall=20, disk=5 * MIB))
    assert many.limit == "disk"
    assert len(many.outputs) <= 1


def test_memory_that_no_process_shows_is_not_to_be_had_where_processes_are_counted(limiting: Sandbox) -> None:
    code = "import os\nf = os.memfd_create('a')\nfor _ in range(400): os.write(f, b'x' * (1 << 20))"
    result = python(limiting, code, Limits(wall=20, memory=100 * MIB))
    assert result.limit == "memory" or "Operation not permitted" in result.stderr


def test_output_at_its_limit_is_whole(limiting: Sandbox) -> None:
    code = "import os; os.write(1, b'o' * 10_000); os.write(2, b'e' * 10_000)"
    result = python(limiting, code, Limits(output=10_000))
    assert result.passed
    assert (result.stdout, result.stderr) == ("o" * 10_000, "e" * 10_000)


def test_what_was_written_before_a_limit_is_kept(limiting: Sandbox) -> None:
    code = "open('log', 'w').write('half'); print('begun', flush=True); import time; time.sleep(60)"
    result = python(limiting, code, Limits(wall=1))
    assert result.limit == "wall"
    assert result.stdout == "begun\n"
    assert [(output.path, output.size) for output in result.outputs] == [("log", 4)]


@pytest.mark.dockerd
@pytest.mark.parametrize("given", [0, 80 * MIB])
def test_memory_for_less_than_a_python_or_its_input_is_told(docker_settings: Settings, given: int) -> None:
    """What process 1 of a container needs is the run's own memory."""
    limits = Limits(memory=64 * MIB if given else 7 * MIB)
    result = python(open_sandbox(docker_settings, "docker"), "pass", limits, files={"in": bytes(given)})
    assert (result.limit, result.passed) == ("memory", False)
