"""What goes into a run and what comes out of it, on each backend: the contract that all who run code rely on."""

import json
import os
import platform
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from boxes import MIB, python

from agents.execution.sandbox import Limits, RunSpec, Sandbox, SandboxError
from agents.execution.sandbox.bubblewrap import BubblewrapSandbox
from agents.execution.sandbox.docker_container import COPIES, sweep_copies
from agents.execution.sandbox.owners import this_process
from kg.errors import InputError


def test_files_go_in_and_outputs_come_out(sandbox: Sandbox, tmp_path: Path) -> None:
    keep = tmp_path / "keep"
    code = "import sys, os; os.mkdir('d'); open('d/out', 'w').write(open('a/in').read() + sys.stdin.read())"
    result = python(sandbox, code, files={"a/in": b"one "}, stdin=b"two", keep=keep)
    assert result.passed
    assert [(output.path, output.size) for output in result.outputs] == [("d/out", 7)]
    assert (keep / "d" / "out").read_bytes() == b"one two"
    assert result.backend == sandbox.name


def test_only_what_matches_is_an_output(sandbox: Sandbox) -> None:
    code = "import os; os.makedirs('a/b'); [open(p, 'w').close() for p in ('x.txt', 'a/y.txt', 'a/b/z.txt', 'a/n.bin')]"
    found = {
        globs: [output.path for output in python(sandbox, code, outputs=globs).outputs]
        for globs in (("*.txt",), ("**/*.txt",), ("a/**",), ())
    }
    assert found == {
        ("*.txt",): ["x.txt"],
        ("**/*.txt",): ["a/b/z.txt", "a/y.txt", "x.txt"],
        ("a/**",): ["a/b/z.txt", "a/n.bin", "a/y.txt"],
        (): [],
    }


def test_a_changed_input_is_an_output_and_an_unchanged_one_is_not(sandbox: Sandbox) -> None:
    result = python(sandbox, "open('b', 'w').write('new')", files={"a": b"old", "b": b"old"})
    assert [output.path for output in result.outputs] == ["b"]


def test_an_output_that_cannot_be_kept_is_told(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(SandboxError, match="could not be kept"):
        python(sandbox, "open('out', 'w').write('theirs')", keep=tmp_path)
    assert (tmp_path / "out").read_text() == "mine"


@pytest.mark.parametrize("code", [0, 1, 42, 126, 127, 137, 139, 255])
def test_an_exit_code_is_what_it_was(sandbox: Sandbox, code: int) -> None:
    result = python(sandbox, f"raise SystemExit({code})")
    assert (result.exit_code, result.signal, result.limit) == (code, None, None)


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGKILL, signal.SIGTERM, signal.SIGABRT, signal.SIGPIPE])
def test_a_signal_is_what_it_was(sandbox: Sandbox, number: int) -> None:
    code = f"import os, signal; signal.signal(13, signal.SIG_DFL); os.kill(os.getpid(), {int(number)})"
    result = python(sandbox, code)
    assert (result.exit_code, result.signal, result.limit) == (None, int(number), None)


def test_a_command_that_is_not_there_is_an_exit_code_as_in_a_shell(sandbox: Sandbox) -> None:
    result = sandbox.run(RunSpec(argv=("no-such-program",)))
    assert result.exit_code == 127
    assert "no-such-program" in result.stderr


def test_the_environment_is_what_was_given_and_a_few_defaults(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_THE_HOST", "1")
    result = python(sandbox, "import json, os; print(json.dumps(dict(os.environ)))", environment={"MINE": "2"})
    found = json.loads(result.stdout)
    assert found["MINE"] == "2"
    assert found["HOME"] == "/tmp"  # noqa: S108 -- of the sandbox
    defaults = ["PATH", "HOME", "TMPDIR", "LANG", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "OMP_NUM_THREADS"]
    assert set(found) - {"LD_LIBRARY_PATH", "LC_CTYPE"} == {*defaults, "MINE"}


STANDARD_LIBRARY = """if True:
    import ctypes, decimal, hashlib, multiprocessing, socket, sqlite3, ssl, tempfile, threading, zlib
    queue = multiprocessing.get_context("fork").Queue(); queue.put(1); assert queue.get() == 1
    tempfile.TemporaryFile().write(b"x"); sqlite3.connect("a.db").execute("create table t (x)")
    listening = socket.create_server(("127.0.0.1", 0)); socket.create_connection(listening.getsockname())
    assert ctypes.CDLL(None).getuid()
"""


@pytest.mark.sandbox
def test_every_bubblewrap_that_is_here_runs_the_standard_library(every_bubblewrap: BubblewrapSandbox) -> None:
    result = python(every_bubblewrap, STANDARD_LIBRARY, files={"in": b"1"}, stdin=b"2")
    assert result.passed, result.stderr


@pytest.mark.dockerd
def test_a_container_runs_the_standard_library(sandbox: Sandbox) -> None:
    result = python(sandbox, STANDARD_LIBRARY)
    assert result.passed, result.stderr


def test_the_interpreter_asked_for_is_inside_without_its_packages(sandbox: Sandbox) -> None:
    code = "import sys, importlib.util as u; print(sys.prefix, *map(u.find_spec, ('pip', 'pytest', 'docker')))"
    assert python(sandbox, code).stdout.split() == ["/opt/python", "None", "None", "None"]


@pytest.mark.parametrize("name", ["python", "python3"])
def test_the_interpreter_is_there_by_both_names_which_stay(sandbox: Sandbox, name: str) -> None:
    code = f"import os, shutil; print(shutil.which({name!r})); os.remove(shutil.which({name!r}))"
    result = sandbox.run(RunSpec(argv=(name, "-c", code)))
    assert result.stdout == f"/opt/bin/{name}\n"
    assert "Read-only file system" in result.stderr


def test_another_python_can_be_had(sandbox: Sandbox, tmp_path: Path) -> None:
    """The same interpreter by another way: what is asked for is started, and our own process goes on."""
    result = python(sandbox, "import sys; print(sys.version.split()[0])", python=Path(sys.executable))
    assert result.stdout.strip() == platform.python_version()
    with pytest.raises(SandboxError, match="no Python"):
        python(sandbox, "pass", python=tmp_path / "python")


def test_a_folder_of_the_user_alone_is_read_and_stays_as_it_is(sandbox: Sandbox, tmp_path: Path) -> None:
    """Whoever the user inside is: what is mounted is to be read, also where nobody else may read it."""
    (tmp_path / "inner").mkdir(mode=0o700)
    (tmp_path / "inner" / "data").write_text("given")
    (tmp_path / "inner" / "data").chmod(0o600)
    (tmp_path / "link").symlink_to("inner/data")
    code = "print(open('/in/repo/link').read()); open('/in/repo/inner/data', 'w')"
    result = python(sandbox, code, read_only={"/in/repo": tmp_path, "/in/file": tmp_path / "inner" / "data"})
    assert result.stdout == "given\n"
    assert "Read-only file system" in result.stderr
    assert (tmp_path / "inner" / "data").read_text() == "given"
    assert (tmp_path / "inner" / "data").stat().st_mode & 0o777 == 0o600


def test_copies_of_a_killed_process_are_swept_and_those_of_the_living_stay(tmp_path: Path) -> None:
    (tmp_path / "sandbox").mkdir()
    code = "from agents.execution.sandbox.owners import this_process; print(this_process())"
    dead = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    owners = (dead, this_process())
    folders = [tmp_path / "sandbox" / f"{COPIES}{owner}-abc" for owner in owners]
    for folder in folders:
        folder.mkdir()
    sweep_copies(tmp_path)
    assert [folder.exists() for folder in folders] == [False, True]


def test_a_mount_in_the_working_folder_is_no_output(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("there")
    result = python(sandbox, "print(open('m/a').read())", read_only={"/work/m": tmp_path})
    assert result.stdout == "there\n"
    assert result.outputs == ()


@pytest.mark.parametrize("inside", ["/", "/usr/lib/x", "/etc/passwd", "/proc", "/work", "/tmp", "/opt/python", "a"])  # noqa: S108
def test_nothing_is_mounted_over_what_the_sandbox_needs(sandbox: Sandbox, inside: str, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        python(sandbox, "pass", read_only={inside: tmp_path})


@pytest.mark.parametrize("name", ["/a", "../a", "a/../../b", "", "."])
def test_no_input_leaves_the_working_folder(sandbox: Sandbox, name: str) -> None:
    with pytest.raises(InputError):
        python(sandbox, "pass", files={name: b""})


def test_inputs_that_exclude_each_other_are_told(sandbox: Sandbox) -> None:
    with pytest.raises(SandboxError, match="input"):
        python(sandbox, "pass", files={"a": b"", "a/b": b""})


def test_many_run_at_once(sandbox: Sandbox) -> None:
    def one(number: int) -> str:
        return python(sandbox, f"open('o', 'w').write('{number}'); print({number})").stdout.strip()

    count = 16 if sandbox.name == "bubblewrap" else 6
    one(0)
    before = threading.active_count(), _files()
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(one, range(count))) == [str(number) for number in range(count)]
    assert (threading.active_count(), _files()) == before


def _files() -> int:
    """The open files of this process, but for kept connections to an engine."""
    links = (link for link in list(Path("/proc/self/fd").iterdir()) if link.is_symlink())
    return sum(not str(link.readlink()).startswith("socket:") for link in links)


def test_what_is_enforced_is_told(sandbox: Sandbox) -> None:
    result = python(sandbox, "pass", Limits(memory=64 * MIB))
    assert result.enforced == sandbox.capabilities()
    assert set(result.enforced) == {
        *("wall", "cpu", "memory", "pids", "disk", "output"),
        *("files", "network", "processes", "privileges", "syscalls"),
    }
    assert result.waived == ()


def test_without_control_groups_it_is_told_that_limits_are_polled(box: BubblewrapSandbox) -> None:
    assert box.groups or python(box, "pass").enforced["memory"] == "polled by the supervisor"


def test_used_time_and_memory_are_told(limiting: Sandbox) -> None:
    code = (
        "import time\nx = b'x' * (200 << 20)\nbegan = time.process_time()\nwhile time.process_time() < began + 1: pass"
    )
    result = python(limiting, code)
    assert result.passed
    assert 1 <= result.cpu_s < 10
    assert result.cpu_s <= result.wall_s * (os.cpu_count() or 1) * 1.5
    assert 200 * MIB <= (result.peak_memory or 0) < 400 * MIB


def test_a_link_that_leads_out_of_what_is_mounted_leads_nowhere(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "repo").mkdir()
    (tmp_path / "secret").write_text("not given")
    (tmp_path / "repo" / "out").symlink_to(tmp_path / "secret")
    (tmp_path / "repo").chmod(0o700)
    assert "FileNotFoundError" in python(sandbox, "open('/in/out')", read_only={"/in": tmp_path / "repo"}).stderr
