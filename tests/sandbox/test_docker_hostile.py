"""What a run may leave to trap whoever collects it, and what it may say to be believed."""

from pathlib import Path

import pytest

from agents.execution.sandbox import Limits, RunSpec, Sandbox, SandboxError, open_sandbox
from agents.execution.sandbox.docker_stream import Frames, Report
from kg.config import Settings

MIB = 1024 * 1024


@pytest.fixture(scope="module")
def sandbox(docker_settings: Settings) -> Sandbox:
    return open_sandbox(docker_settings, "docker")


NO_FILES = {
    "a link to a file": "os.symlink('/etc/passwd', 'a')",
    "a link to a folder": "os.symlink('/', 'a')",
    "a link to itself": "os.symlink('a', 'a')",
    "a pipe": "os.mkfifo('a')",
    "a socket": "import socket; socket.socket(socket.AF_UNIX).bind('a')",
    "a device": "\ntry: os.mknod('a', 0o020666, os.makedev(1, 3))\nexcept PermissionError: pass",
    "an empty folder": "os.mkdir('a')",
}


@pytest.mark.dockerd
@pytest.mark.parametrize("kind", NO_FILES)
def test_only_files_are_outputs(sandbox: Sandbox, kind: str, tmp_path: Path) -> None:
    result = sandbox.run(RunSpec(argv=("python3", "-c", f"import os; {NO_FILES[kind]}"), keep=tmp_path))
    assert result.passed, result.stderr
    assert result.outputs == ()
    assert list(tmp_path.iterdir()) == []


TRAPS = {
    "a deep tree": ("for _ in range(300):\n    os.mkdir('d'); os.chdir('d')\nopen('f', 'w').close()", "disk"),
    "a sparse file beyond the limit": ("os.truncate(os.open('f', os.O_CREAT | os.O_WRONLY), 1 << 40)", None),
    "sparse files that are too much together": (
        "for i in range(100): os.truncate(os.open(f'f{i}', os.O_CREAT | os.O_WRONLY), 8 << 20)",
        "disk",
    ),
    "a locked folder": ("os.mkdir('d'); open('d/f', 'w').close(); os.chmod('d', 0); os.chmod('.', 0)", None),
    "a hard link": ("open('f', 'w').close(); os.link('f', 'g')", None),
    "odd names": ("[open(n, 'w').close() for n in (b'\\xff\\n', b'-rf', b' ', '\\u202e.py', b'\\x1b[2J')]", None),
}


@pytest.mark.dockerd
@pytest.mark.parametrize("trap", TRAPS)
def test_traps_are_bounded(sandbox: Sandbox, trap: str, tmp_path: Path) -> None:
    code, limit = TRAPS[trap]
    spec = RunSpec(argv=("python3", "-c", f"import os\n{code}"), limits=Limits(disk=16 * MIB, wall=30), keep=tmp_path)
    result = sandbox.run(spec)
    assert result.limit == limit, result.stderr
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(kept) == len(result.outputs)
    assert sum(path.stat().st_size for path in kept) <= 17 * MIB


@pytest.mark.dockerd
def test_a_locked_folder_is_read_all_the_same(sandbox: Sandbox) -> None:
    result = sandbox.run(RunSpec(argv=("python3", "-c", f"import os\n{TRAPS['a locked folder'][0]}")))
    assert [output.path for output in result.outputs] == ["d/f"]


FORGERIES = {
    "a report of its own": "os.write(2, b'\\n' + b'0' * 48 + (2).to_bytes(8, 'big') + b'{}'); os._exit(3)",
    "killing process 1": "[os.kill(1, n) for n in range(1, 65) if n not in (32, 33)]; os._exit(3)",
    "killing everyone": "import time; time.sleep(0.2)\nif not os.fork():\n    os.kill(-1, 9)\nos.wait(); os._exit(3)",
    "reading process 1": "\ntry: open('/proc/1/mem', 'rb')\nexcept PermissionError: os._exit(3)",
    "its environment": "\ntry: open('/proc/1/environ', 'rb').read()\nexcept PermissionError: os._exit(3)",
    "its descriptors": "\ntry: os.listdir('/proc/1/fd')\nexcept PermissionError: os._exit(3)",
    "tracing it": "import ctypes\nif ctypes.CDLL(None).ptrace(16, 1, 0, 0) == -1: os._exit(3)",
}


@pytest.mark.dockerd
@pytest.mark.parametrize("forgery", FORGERIES)
def test_only_process_1_is_believed(sandbox: Sandbox, forgery: str) -> None:
    result = sandbox.run(RunSpec(argv=("python3", "-c", f"import os; {FORGERIES[forgery]}"), limits=Limits(wall=30)))
    assert (result.exit_code, result.signal) in ((3, None), (None, 9))
    assert not result.passed
    assert result.limit is None


@pytest.mark.dockerd
def test_stderr_that_looks_like_the_report_is_stderr(sandbox: Sandbox) -> None:
    result = sandbox.run(RunSpec(argv=("python3", "-c", f"import os; {FORGERIES['a report of its own']}")))
    assert result.stderr.startswith("\n" + "0" * 48)


def frame(kind: int, data: bytes) -> bytes:
    return bytes((kind, 0, 0, 0)) + len(data).to_bytes(4, "big") + data


@pytest.mark.parametrize("step", [1, 2, 7, 8, 9, 1000])
def test_frames_may_come_in_any_pieces(step: int, tmp_path: Path) -> None:
    head = (
        b'{"outputs": [{"path": "a", "size": 3,'
        b' "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}]}'
    )
    told = b"TOKEN" + len(head).to_bytes(8, "big") + head + b"abc"
    whole = frame(1, b"out") + frame(2, b"errTOKE") + frame(1, b"") + frame(2, b"x" + told[:9]) + frame(2, told[9:])
    report = Report(tmp_path)
    frames = Frames(100, b"TOKEN", report)
    for start in range(0, len(whole), step):
        frames.feed(whole[start : start + step])
    frames.finish()
    assert (frames.stdout.text(), frames.stderr.text()) == ("out", "errTOKEx")
    assert report.complete()
    assert (tmp_path / "a").read_bytes() == b"abc"


@pytest.mark.parametrize("path", ["/etc/x", "../x", "a/../../x"])
def test_an_output_never_lands_elsewhere(path: str, tmp_path: Path) -> None:
    head = f'{{"outputs": [{{"path": "{path}", "size": 1, "sha256": ""}}]}}'.encode()
    with pytest.raises(SandboxError):
        Report(tmp_path / "keep").feed(len(head).to_bytes(8, "big") + head + b"x")
    assert list(tmp_path.iterdir()) == []
