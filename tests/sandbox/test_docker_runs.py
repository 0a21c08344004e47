"""The docker backend on a real engine: what comes back of a run, and what its limits do."""

import os
import signal
from pathlib import Path

import pytest

from agents.execution.sandbox import Limits, Result, RunSpec, Sandbox, SandboxError, open_sandbox
from kg.config import Settings

pytestmark = pytest.mark.dockerd

MIB = 1024 * 1024


@pytest.fixture(scope="module")
def sandbox(docker_settings: Settings) -> Sandbox:
    return open_sandbox(docker_settings, "docker")


def python(sandbox: Sandbox, code: str, **more: object) -> Result:
    return sandbox.run(RunSpec(argv=("python3", "-c", code), **more))  # type: ignore[arg-type]  # fields of RunSpec


def test_files_go_in_and_outputs_come_out(sandbox: Sandbox, tmp_path: Path) -> None:
    keep = tmp_path / "keep"
    code = (
        "import sys, os; os.mkdir('d'); open('d/out', 'w').write(open('in').read() + sys.stdin.read()); print('said')"
    )
    result = python(sandbox, code, files={"in": b"one "}, stdin=b"two", keep=keep)
    assert result.passed
    assert result.stdout == "said\n"
    assert result.backend == "docker"
    assert [output.path for output in result.outputs] == ["d/out"]
    assert (keep / "d" / "out").read_bytes() == b"one two"


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


@pytest.mark.parametrize("code", [0, 1, 42, 126, 127, 137, 139, 255])
def test_exit_codes_are_what_they_were(sandbox: Sandbox, code: int) -> None:
    result = python(sandbox, f"raise SystemExit({code})")
    assert (result.exit_code, result.signal, result.limit) == (code, None, None)


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGKILL, signal.SIGTERM, signal.SIGABRT])
def test_signals_are_no_exit_codes(sandbox: Sandbox, number: signal.Signals) -> None:
    result = python(sandbox, f"import os; os.kill(os.getpid(), {int(number)})")
    assert (result.exit_code, result.signal, result.limit) == (None, number, None)


def test_a_command_that_is_not_there(sandbox: Sandbox) -> None:
    result = sandbox.run(RunSpec(argv=("no-such-command",)))
    assert result.exit_code == 127
    assert "no-such-command" in result.stderr


def test_the_interpreter_asked_for_is_inside_without_its_packages(sandbox: Sandbox) -> None:
    code = "import sys, importlib.util as u; print(sys.prefix, u.find_spec('pytest'), u.find_spec('docker'))"
    assert python(sandbox, code).stdout.split() == ["/opt/python", "None", "None"]


@pytest.mark.parametrize("name", ["python", "python3"])
def test_the_interpreter_is_there_by_both_names_which_stay(sandbox: Sandbox, name: str) -> None:
    code = f"import os, shutil; print(shutil.which({name!r})); os.remove(shutil.which({name!r}))"
    result = sandbox.run(RunSpec(argv=(name, "-c", code)))
    assert result.stdout == f"/opt/bin/{name}\n"
    assert "Read-only file system" in result.stderr


def test_a_read_only_folder_is_there_and_stays_as_it_is(sandbox: Sandbox, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "data").write_text("given")
    code = "print(open('/in/repo/data').read()); open('/in/repo/data', 'w')"
    result = python(sandbox, code, read_only={"/in/repo": tmp_path})
    assert result.stdout == "given\n"
    assert "Read-only file system" in result.stderr
    assert (tmp_path / "data").read_text() == "given"


def test_a_folder_that_the_user_inside_may_not_read_is_refused(sandbox: Sandbox, tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with pytest.raises(SandboxError, match="can't be read by the user inside"):
        python(sandbox, "", read_only={"/in/repo": tmp_path})


def test_the_environment_is_the_given_one_and_no_more(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XKG_TEST_SECRET", "s3cret")
    names = set(python(sandbox, "import os; print(*os.environ)", environment={"MINE": "1"}).stdout.split())
    assert names <= {
        *("PATH", "HOME", "TMPDIR", "LANG", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "OMP_NUM_THREADS"),
        *("LD_LIBRARY_PATH", "MINE", "LC_CTYPE"),
    }
    assert {"MINE", "HOME", "PATH"} <= names


LIMITED = {
    "wall": ("import time; time.sleep(60)", Limits(wall=1)),
    "wall, signals ignored": (
        "import signal, time\nfor n in set(signal.Signals) - {9, 19}: signal.signal(n, signal.SIG_IGN)\ntime.sleep(60)",
        Limits(wall=1),
    ),
    "cpu": ("while True: pass", Limits(wall=60, cpu=1)),
    "cpu, by children": ("import os\nfor _ in range(3): os.fork()\nwhile True: pass", Limits(wall=60, cpu=2)),
    "memory": ("x = b'x' * (1 << 30)", Limits(memory=128 * MIB)),
    "memory, by children": (
        "import os\nfor _ in range(6):\n    if not os.fork():\n        x = b'x' * (64 << 20); os.wait()\n"
        "import time; time.sleep(5)",
        Limits(memory=128 * MIB, wall=30),
    ),
    "memory, less than a Python": ("pass", Limits(memory=7 * MIB)),
    "memory, less than the input": ("pass", Limits(memory=64 * MIB)),
    "memory, by a file in memory": (
        "import os; f = os.memfd_create('m')\nwhile True: os.write(f, bytes(1 << 20))",
        Limits(memory=128 * MIB),
    ),
    "memory, one child": (
        "import subprocess; subprocess.run(['python3', '-c', \"x = b'x' * (1 << 30)\"]); print('on')",
        Limits(memory=128 * MIB),
    ),
    "pids": ("import os, time\nwhile True:\n    if not os.fork(): time.sleep(60)", Limits(pids=32, wall=30)),
    "pids, threads": (
        "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(60,), daemon=True).start()",
        Limits(pids=32, wall=30),
    ),
    "disk": ("open('f', 'wb').write(bytes(64 << 20))", Limits(disk=8 * MIB)),
    "disk, in pieces": (
        "for i in range(10_000): open(f'f{i}', 'wb').write(bytes(1 << 20))",
        Limits(disk=8 * MIB),
    ),
    "disk, names": ("for i in range(1_000_000): open(f'f{i}', 'w').close()", Limits(disk=8 * MIB)),
    "disk, names elsewhere": ("for i in range(1_000_000): open(f'/dev/shm/{i}', 'w').close()", Limits(disk=8 * MIB)),
    "disk, in /tmp": ("open('/tmp/f', 'wb').write(bytes(64 << 20))", Limits(disk=8 * MIB)),
    "output": ("while True: print('x' * 4096)", Limits(output=100_000)),
    "output, stderr": ("import os\nwhile True: os.write(2, bytes(4096))", Limits(output=100_000)),
}


@pytest.mark.parametrize("name", LIMITED)
def test_a_limit_is_named_and_nothing_goes_on(sandbox: Sandbox, name: str) -> None:
    code, limits = LIMITED[name]
    result = python(sandbox, code, limits=limits, files={"in": bytes(80 * MIB)} if name.endswith("input") else {})
    assert result.limit == name.partition(",")[0]
    assert not result.passed
    assert max(len(result.stdout), len(result.stderr)) <= limits.output


def test_output_at_its_limit_is_whole(sandbox: Sandbox) -> None:
    code = "import os; os.write(1, b'o' * 10_000); os.write(2, b'e' * 10_000)"
    result = python(sandbox, code, limits=Limits(output=10_000))
    assert result.passed
    assert (result.stdout, result.stderr) == ("o" * 10_000, "e" * 10_000)


def test_what_was_written_before_a_limit_is_kept(sandbox: Sandbox) -> None:
    code = "open('log', 'w').write('half'); print('begun', flush=True); import time; time.sleep(60)"
    result = python(sandbox, code, limits=Limits(wall=1))
    assert result.limit == "wall"
    assert result.stdout == "begun\n"
    assert [(output.path, output.size) for output in result.outputs] == [("log", 4)]


def test_measures(sandbox: Sandbox) -> None:
    code = (
        "import time\nx = b'x' * (200 << 20)\nbegan = time.process_time()\nwhile time.process_time() < began + 1: pass"
    )
    result = python(sandbox, code)
    assert result.passed
    assert 1 <= result.cpu_s < 10
    assert result.cpu_s <= result.wall_s * (os.cpu_count() or 1) * 1.5
    assert 200 * MIB <= (result.peak_memory or 0) < 400 * MIB


def test_a_daemon_does_not_outlive_its_run(sandbox: Sandbox) -> None:
    code = "import os, time\nif not os.fork(): os.setsid(), os.fork() or time.sleep(300), os._exit(0)\nos.wait()"
    assert python(sandbox, code).passed


def test_a_mount_over_the_sandboxs_own_is_refused(sandbox: Sandbox, tmp_path: Path) -> None:
    with pytest.raises(Exception, match="/opt/python"):
        python(sandbox, "", read_only={"/opt/python": tmp_path})


def test_an_output_that_cannot_be_kept_is_told(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(SandboxError, match="could not be kept"):
        python(sandbox, "open('out', 'w').write('theirs')", keep=tmp_path)
    assert (tmp_path / "out").read_text() == "mine"
