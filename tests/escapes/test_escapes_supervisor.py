"""What a supervisor is fed and how it ends: no input breaks it, no status is confused, and when it dies all dies."""

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from escapes_run import LIMITS, survivors

from agents.execution.sandbox.models import RunSpec, Sandbox
from kg.config import Settings
from kg.errors import XkgError

SAY = "import sys; print(len(sys.argv), len(sys.argv[-1]), len(sys.stdin.read()))"
PRINT = ("python3", "-c", "print('ran')")

ENDINGS: dict[str, tuple[str, int | None, int | None]] = {
    "0": ("pass", 0, None),
    "42": ("sys.exit(42)", 42, None),
    "255": ("os._exit(-1)", 255, None),
    "137 is no signal": ("os._exit(137)", 137, None),
    "139 is no signal": ("os._exit(139)", 139, None),
    "SIGSEGV": ("os.kill(os.getpid(), 11)", None, 11),
    "a real SIGSEGV": ("import ctypes; ctypes.string_at(0)", None, 11),
    "SIGTERM": ("os.kill(os.getpid(), 15)", None, 15),
    "SIGKILL": ("os.kill(os.getpid(), 9)", None, 9),
    "SIGABRT": ("os.abort()", None, 6),
    "SIGINT": ("import signal; signal.signal(2, signal.SIG_DFL); os.kill(os.getpid(), 2)", None, 2),
    "a real-time signal": ("os.kill(os.getpid(), 40)", None, 40),
    "SIGPIPE": ("import signal; signal.signal(13, signal.SIG_DFL); os.kill(os.getpid(), 13)", None, 13),
    "after its children": ("os.fork() or time.sleep(60); os._exit(7)", 7, None),
    "while others hold on": ("[os.fork() or time.sleep(60) for _ in range(5)]; os._exit(8)", 8, None),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_end_is_told_as_it_was(ending: str, sandbox: Sandbox) -> None:
    code, exit_code, ended_by = ENDINGS[ending]
    result = sandbox.run(RunSpec(argv=("python3", "-c", f"import os, sys, time; {code}"), limits=LIMITS))
    assert (result.exit_code, result.signal, result.limit) == (exit_code, ended_by, None), result.stderr


SPECS: dict[str, dict[str, Any]] = {
    "long argument": {"argv": ("python3", "-c", SAY, "x" * 120_000)},
    "too long an argument": {"argv": ("python3", "-c", SAY, "x" * 200_000)},
    "many arguments": {"argv": ("python3", "-c", SAY, *["x" * 50] * 20_000)},
    "too many arguments": {"argv": ("python3", "-c", SAY, *["x" * 100] * 60_000)},
    "zero byte in an argument": {"argv": ("python3", "-c", SAY, "a\0b")},
    "zero byte in the command": {"argv": ("pyth\0on3",)},
    "empty command": {"argv": ("",)},
    "no such command": {"argv": ("no-such-command",)},
    "folder as command": {"argv": ("/work",)},
    "option as command": {"argv": ("--help",)},
    "lone surrogate": {"argv": ("python3", "-c", SAY, "\ud800")},
    "bytes that are no text": {"argv": ("python3", "-c", SAY, "\udcff")},
    "unicode": {"argv": ("python3", "-c", SAY, "\u202e\u00e9\U0001f600\x1b[31m\n")},
    "large stdin nobody reads": {"argv": PRINT, "stdin": b"x" * 8_000_000},
    "large stdin": {"argv": ("python3", "-c", SAY), "stdin": b"\0\xff" * 4_000_000},
    "file above": {"argv": PRINT, "files": {"../above": b"x"}},
    "file above by a detour": {"argv": PRINT, "files": {"a/../../above": b"x"}},
    "absolute file": {"argv": PRINT, "files": {"/tmp/absolute": b"x"}},
    "file without a name": {"argv": PRINT, "files": {"": b"x"}},
    "file called .": {"argv": PRINT, "files": {".": b"x"}},
    "file with a zero byte": {"argv": PRINT, "files": {"a\0b": b"x"}},
    "file with a long name": {"argv": PRINT, "files": {"x" * 300: b"x"}},
    "file with a long path": {"argv": PRINT, "files": {"/".join(["x" * 200] * 30): b"x"}},
    "file with a lone surrogate": {"argv": PRINT, "files": {"\ud800": b"x"}},
    "file below a file": {"argv": PRINT, "files": {"a": b"x", "a/b": b"x"}},
    "file that shadows python": {"argv": PRINT, "files": {"json.py": b"raise SystemExit(9)", "os.py": b"1/0"}},
    "files beyond the disk limit": {"argv": PRINT, "files": {"large": b"x" * (30 << 20)}},
    "many files": {"argv": PRINT, "files": {f"d{n % 50}/f{n}": b"x" for n in range(3000)}},
    "working folder above": {"argv": PRINT, "cwd": "../.."},
    "working folder that is absolute": {"argv": PRINT, "cwd": "/etc"},
    "working folder that is missing": {"argv": PRINT, "cwd": "missing"},
    "working folder that is a file": {"argv": PRINT, "cwd": "a", "files": {"a": b"x"}},
    "mount over the root": {"argv": PRINT, "read_only": {"/": Path("/usr")}},
    "mount over proc": {"argv": PRINT, "read_only": {"/proc": Path("/usr")}},
    "mount over proc by a detour": {"argv": PRINT, "read_only": {"/opt/../proc": Path("/usr")}},
    "mount over the interpreter": {"argv": PRINT, "read_only": {"/opt/python/bin": Path("/usr")}},
    "mount of the root": {"argv": PRINT, "read_only": {"/in/host": Path("/")}},
    "mount of what is missing": {"argv": PRINT, "read_only": {"/in/missing": Path("/no/such/folder")}},
    "mount at a relative place": {"argv": PRINT, "read_only": {"in/here": Path("/usr")}},
    "mount at a place with a zero byte": {"argv": PRINT, "read_only": {"/in/a\0b": Path("/usr")}},
    "mount at a place with a line end": {"argv": PRINT, "read_only": {"/in/a\nb ,:": Path("/usr/share/base-files")}},
    "mount within a mount": {
        "argv": PRINT,
        "read_only": {"/in": Path("/usr/share/base-files"), "/in/deep": Path("/usr/lib/apt")},
    },
    "mount of a socket": {"argv": PRINT, "read_only": {"/in/socket": Path("/dev/log")}},
    "mount of a device": {"argv": PRINT, "read_only": {"/in/device": Path("/dev/null")}},
    "variable with a zero byte": {"argv": PRINT, "environment": {"A": "a\0b"}},
    "variable with an odd name": {"argv": PRINT, "environment": {"A=B": "x", "": "y"}},
    "variables that load code": {
        "argv": PRINT,
        "environment": {"LD_PRELOAD": "/work/x.so", "PYTHONSTARTUP": "/work/x"},
    },
    "variables that break python": {"argv": PRINT, "environment": {"PYTHONHOME": "/nowhere", "PATH": "/nowhere"}},
    "large environment": {"argv": PRINT, "environment": {f"N{n}": "x" * 100_000 for n in range(30)}},
    "output glob above": {"argv": PRINT, "outputs": ("../**", "/etc/*", "**/../*", "")},
    "output globs that backtrack": {
        "argv": ("python3", "-c", "import os; os.makedirs('a/' * 60); open('a/' * 60 + 'b', 'w')"),
        "outputs": ("/".join(["**", "a"] * 20) + "/c",),
    },
    "keep in a file": {"argv": ("python3", "-c", "open('a', 'w')"), "keep": Path("/dev/null/x")},
    "interpreter that is missing": {"argv": PRINT, "python": Path("/no/such/python")},
    "interpreter that is none": {"argv": PRINT, "python": Path("/bin/sh")},
}


@pytest.mark.parametrize("odd", SPECS)
def test_no_input_breaks_it(odd: str, sandbox: Sandbox) -> None:
    """It runs or is refused in a sentence; it never hangs, never writes outside, and never fails in another way."""
    try:
        spec = RunSpec(limits=LIMITS.model_copy(update={"wall": 20.0}), **SPECS[odd])
        result = sandbox.run(spec)
    except XkgError as error:
        assert len(str(error)) < 1000
        assert "Traceback" not in str(error)
        return
    except ValueError as error:  # the model refuses it before anything runs
        assert "validation error" in str(error)
        return
    assert result.limit != "wall", result
    assert "Traceback" not in result.stderr or 'File "<string>"' in result.stderr, result.stderr
    assert not Path("/tmp/absolute").exists()
    assert not Path("/tmp/above").exists()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_when_the_supervisor_dies_all_dies(number: int, settings_of_backend: tuple[str, Settings]) -> None:
    backend, settings = settings_of_backend
    token = secrets.token_hex(12)
    code = "import os, time; [os.fork() for _ in range(3)]; os.getsid(0) == os.getpid() or os.setsid(); time.sleep(300)"
    code = f"import signal; [signal.signal(n, signal.SIG_IGN) for n in (1, 2, 13, 15)]; {code}"
    environment = {
        **os.environ,
        **({"XKG_DOCKER_HOST": settings.execution.docker_host} if settings.execution.docker_host else {}),
    }
    command = [sys.executable, "-m", "xkg", "sandbox", "run", "--backend", backend, "--", "python3", "-c", code, token]
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        assert _waited(lambda: len(_inside(token, process.pid)) >= 2), "the run did not start"
        process.send_signal(number)
        assert _waited(lambda: process.poll() is not None), "it ignores the signal"
        assert _waited(lambda: not survivors(token)), f"left: {survivors(token)}"
    finally:
        process.kill()
        told = process.communicate()[0].decode()
        for pid in survivors(token):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    assert "Traceback" not in told


def _inside(token: str, outside: int) -> list[int]:
    return [pid for pid in survivors(token) if pid != outside]


def _waited(condition: Any) -> bool:
    deadline = time.monotonic() + 40
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True
