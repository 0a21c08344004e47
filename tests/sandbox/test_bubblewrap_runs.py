"""What goes into bubblewrap and what comes out."""

import json
import platform
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from bubblewrap_boxes import MIB, python

from agents.execution.sandbox import Limits, RunSpec, SandboxError
from agents.execution.sandbox.bubblewrap import BubblewrapSandbox
from kg.errors import InputError

pytestmark = pytest.mark.sandbox


def test_files_go_in_and_outputs_come_out(every_box: BubblewrapSandbox, tmp_path: Path) -> None:
    keep = tmp_path / "keep"
    code = "import sys, os; os.mkdir('d'); open('d/out', 'w').write(open('a/in').read() + sys.stdin.read())"
    result = python(every_box, code, files={"a/in": b"one "}, stdin=b"two", keep=keep)
    assert result.passed
    assert [(output.path, output.size) for output in result.outputs] == [("d/out", 7)]
    assert (keep / "d" / "out").read_bytes() == b"one two"


def test_a_changed_input_is_an_output_and_an_unchanged_one_is_not(box: BubblewrapSandbox) -> None:
    result = python(box, "open('b', 'w').write('new')", files={"a": b"old", "b": b"old"})
    assert [output.path for output in result.outputs] == ["b"]


@pytest.mark.parametrize("code", [0, 1, 42, 126, 127, 137, 139, 255])
def test_an_exit_code_is_what_it_was(box: BubblewrapSandbox, code: int) -> None:
    result = python(box, f"raise SystemExit({code})")
    assert (result.exit_code, result.signal, result.limit) == (code, None, None)


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGPIPE])
def test_a_signal_is_what_it_was(box: BubblewrapSandbox, number: int) -> None:
    result = python(box, f"import os, signal; signal.signal(13, signal.SIG_DFL); os.kill(os.getpid(), {int(number)})")
    assert (result.exit_code, result.signal, result.limit) == (None, int(number), None)


def test_a_command_that_is_not_there_is_an_exit_code_as_in_a_shell(box: BubblewrapSandbox) -> None:
    result = box.run(RunSpec(argv=("no-such-program",)))
    assert result.exit_code == 127
    assert "no-such-program" in result.stderr


def test_the_environment_is_what_was_given_and_a_few_defaults(
    box: BubblewrapSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_THE_HOST", "1")
    result = python(box, "import json, os; print(json.dumps(dict(os.environ)))", environment={"MINE": "2"})
    found = json.loads(result.stdout)
    assert found["MINE"] == "2"
    assert found["HOME"] == "/tmp"  # noqa: S108 -- of the sandbox
    assert "SECRET_OF_THE_HOST" not in found
    defaults = ["PATH", "HOME", "TMPDIR", "LANG", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "OMP_NUM_THREADS"]
    assert set(found) - {"LD_LIBRARY_PATH", "LC_CTYPE"} == {*defaults, "MINE"}


def test_the_standard_library_works_with_its_extensions(every_box: BubblewrapSandbox) -> None:
    code = """if True:
        import ctypes, decimal, hashlib, multiprocessing, socket, sqlite3, ssl, tempfile, threading, zlib
        queue = multiprocessing.get_context("fork").Queue(); queue.put(1); assert queue.get() == 1
        tempfile.TemporaryFile().write(b"x"); sqlite3.connect("a.db").execute("create table t (x)")
        listening = socket.create_server(("127.0.0.1", 0)); socket.create_connection(listening.getsockname())
        print(ctypes.CDLL(None).getuid())
    """
    result = python(every_box, code)
    assert result.passed, result.stderr
    assert result.stdout == "1000\n"


def test_installed_packages_of_the_host_are_not_there(box: BubblewrapSandbox) -> None:
    assert "No module named 'pip'" in python(box, "import pip").stderr


def test_a_folder_is_seen_read_only_where_it_was_asked_for(box: BubblewrapSandbox, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("there")
    code = "print(open('/in/repo/a').read()); open('/in/repo/a', 'w')"
    result = python(box, code, read_only={"/in/repo": tmp_path})
    assert result.stdout == "there\n"
    assert "Read-only file system" in result.stderr
    assert (tmp_path / "a").read_text() == "there"


def test_a_mount_in_the_working_folder_is_no_output(box: BubblewrapSandbox, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("there")
    result = python(box, "print(open('m/a').read())", read_only={"/work/m": tmp_path})
    assert result.stdout == "there\n"
    assert result.outputs == ()


@pytest.mark.parametrize("inside", ["/", "/usr", "/usr/lib/x", "/etc/passwd", "/proc", "/work", "/tmp", "/opt", "a"])  # noqa: S108
def test_nothing_is_mounted_over_what_the_sandbox_needs(box: BubblewrapSandbox, inside: str, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        python(box, "pass", read_only={inside: tmp_path})


@pytest.mark.parametrize("name", ["/a", "../a", "a/../../b", "", "."])
def test_no_input_leaves_the_working_folder(box: BubblewrapSandbox, name: str) -> None:
    with pytest.raises(InputError):
        python(box, "pass", files={name: b""})


def test_inputs_that_exclude_each_other_are_told(box: BubblewrapSandbox) -> None:
    with pytest.raises(SandboxError, match="input"):
        python(box, "pass", files={"a": b"", "a/b": b""})


def test_another_python_can_be_had(box: BubblewrapSandbox, tmp_path: Path) -> None:
    """The same interpreter by another way: what is asked for is started, and our own process goes on."""
    other = Path(sys.executable)
    result = python(box, "import sys; print(sys.version.split()[0])", python=other)
    assert result.stdout.strip() == platform.python_version()
    with pytest.raises(SandboxError, match="no Python"):
        python(box, "pass", python=tmp_path / "python")


def test_many_run_at_once(box: BubblewrapSandbox) -> None:
    def one(number: int) -> str:
        return python(box, f"open('o', 'w').write('{number}'); print({number})").stdout.strip()

    before = threading.active_count(), len(list(Path("/proc/self/fd").iterdir()))
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(one, range(16))) == [str(number) for number in range(16)]
    assert (threading.active_count(), len(list(Path("/proc/self/fd").iterdir()))) == before


def test_what_is_enforced_is_told(box: BubblewrapSandbox) -> None:
    result = python(box, "pass", Limits(memory=64 * MIB))
    assert result.enforced == box.capabilities()
    assert set(result.enforced) == {
        *("wall", "cpu", "memory", "pids", "disk", "output"),
        *("files", "network", "processes", "privileges", "syscalls"),
    }
    assert result.waived == ()
    if not box.groups:
        assert result.enforced["memory"] == "polled by the supervisor"


def test_used_time_and_memory_are_told(box: BubblewrapSandbox) -> None:
    code = (
        "import time; x = b'x' * (60 << 20); began = time.process_time()\nwhile time.process_time() - began < 0.3: pass"
    )
    result = python(box, code)
    assert result.cpu_s > 0.25
    assert result.peak_memory is not None
    assert 60 * MIB < result.peak_memory < 150 * MIB
