"""Whatever code does, the run ends and nothing of it is left."""

import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from boxes import python
from sandbox.orphans import descendants, reap

from agents.execution.sandbox import Limits
from agents.execution.sandbox.bubblewrap import BubblewrapSandbox
from agents.execution.sandbox.cgroups import sweep

pytestmark = pytest.mark.sandbox

TRICKS = {
    "a daemon": """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(900)
os._exit(0)""",
    "a holder of the pipes": """
if os.fork() == 0:
    os.setsid()
    time.sleep(900)
os._exit(0)""",
    "every signal ignored": """
for number in signal.valid_signals() - {9, 19}:
    signal.signal(number, signal.SIG_IGN)
time.sleep(900)""",
    "a process that stopped itself": "os.kill(os.getpid(), 19)",
    "all that it can stop": """
if os.fork() == 0:
    time.sleep(900)
os.kill(-1, 19)
os.kill(os.getpid(), 19)""",
    "all that it can kill": """
if os.fork() == 0:
    time.sleep(900)
os.kill(-1, 9)
time.sleep(900)""",
    "its parent": """
for number in (9, 15):
    os.kill(os.getppid(), number)
    os.kill(1, number)
time.sleep(900)""",
    "closed streams": "os.closerange(0, 100)\ntime.sleep(900)",
    "zombies": """
for _ in range(30):
    if os.fork() == 0:
        os._exit(0)
time.sleep(900)""",
    "a deep folder": """
for _ in range(2000):
    os.mkdir('d')
    os.chdir('d')""",
    "folders without rights": """
os.makedirs('a/b')
open('a/b/c', 'w').close()
for name in ('a/b/c', 'a/b', 'a'):
    os.chmod(name, 0)""",
}


@pytest.mark.parametrize("trick", TRICKS)
def test_nothing_is_left_of(box: BubblewrapSandbox, trick: str) -> None:
    mark = f"xkg-left-{secrets.token_hex(8)}"
    result = python(box, f"'{mark}'\nimport os, signal, time\n{TRICKS[trick]}", Limits(wall=1.0))
    assert not [process.pid for process in psutil.process_iter(["cmdline"]) if mark in str(process.info["cmdline"])]
    assert result.limit in (None, "wall", "disk")


def test_names_and_kinds_of_outputs_can_be_anything(box: BubblewrapSandbox, tmp_path: Path) -> None:
    code = (
        "import os\n"
        "for name in (b'a\\xff', b'new\\nline', b'\\x1b[31m', b'-rf', 'ü'.encode()): open(name, 'w').close()\n"
        "os.symlink('/etc/passwd', 'link'); os.symlink('/', 'root'); os.mkfifo('fifo'); os.symlink('loop', 'loop')"
    )
    result = python(box, code, keep=tmp_path / "keep")
    assert [output.path for output in result.outputs] == ["-rf", "\\x1b[31m", "a\\xff", "new\\nline", "ü"]
    kept = sorted(path.name for path in (tmp_path / "keep").iterdir())
    assert len(kept) == 5
    assert all(name.isprintable() for name in kept)
    assert all(path.is_file() and not path.is_symlink() for path in (tmp_path / "keep").iterdir())


SUPERVISOR = """
import os
import signal
import sys
from pathlib import Path

from agents.execution.sandbox import RunSpec, bubblewrap_launch
from agents.execution.sandbox.bubblewrap import BubblewrapSandbox
from agents.execution.sandbox.programs import Program

path, libraries, groups, early, code = sys.argv[1:]
if early:
    bubblewrap_launch._await = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
box = BubblewrapSandbox(Program(Path(path), "", Path(libraries) if libraries else None), groups=bool(groups))
box.run(RunSpec(argv=("python3", "-c", code)))
"""


def _supervisor(box: BubblewrapSandbox, code: str, *, early: bool = False) -> subprocess.Popen[bytes]:
    """Another process that runs `code` in such a box; `early`: it is killed as soon as bubblewrap is started."""
    program = (str(box.program.path), str(box.program.libraries or ""))
    flags = ("groups" if box.groups else "", "early" if early else "")
    return subprocess.Popen([sys.executable, "-c", SUPERVISOR, *program, *flags, code], cwd=Path(__file__).parents[2])


@pytest.mark.crash
def test_a_killed_supervisor_takes_its_run_along_and_the_next_removes_its_groups(box: BubblewrapSandbox) -> None:
    mark = f"xkg-killed-{secrets.token_hex(8)}"
    supervisor = _supervisor(
        box, f"import os, time  # {mark}\nfor _ in range(3): os.fork()\nos.setsid; time.sleep(900)"
    )
    try:
        _await(lambda: len(_marked(mark, supervisor.pid)) >= 8)
    finally:
        supervisor.send_signal(signal.SIGKILL)
        supervisor.wait()
    _await(lambda: not _marked(mark, supervisor.pid))
    sweep()
    left = [path for path in Path("/sys/fs/cgroup").rglob(f"xkg-*-{supervisor.pid}-*") if path.is_dir()]
    assert not left


@pytest.mark.crash
def test_a_run_ends_with_its_supervisor_although_it_stops_all_that_it_can(box: BubblewrapSandbox) -> None:
    mark = f"xkg-stopped-{secrets.token_hex(8)}"
    stops = "os.kill(1, 19)\n    os.kill(-1, 19)\n    os.kill(os.getpid(), 19)"
    supervisor = _supervisor(box, f"import os  # {mark}\nos.fork()\nwhile True:\n    {stops}")
    try:
        _await(lambda: len(_marked(mark, supervisor.pid)) >= 2)
        time.sleep(0.5)
    finally:
        supervisor.send_signal(signal.SIGKILL)
        supervisor.wait()
    _await(lambda: not _marked(mark, supervisor.pid))


@pytest.mark.crash
def test_a_supervisor_killed_before_its_sandbox_stands_leaves_nothing(
    box: BubblewrapSandbox, orphans_are_ours: None
) -> None:
    before = descendants()
    supervisor = _supervisor(box, "import time\ntime.sleep(900)", early=True)
    assert supervisor.wait(60) == -signal.SIGKILL

    def gone() -> bool:
        reap(before)
        return not descendants().keys() - before.keys()

    _await(gone)


def _marked(mark: str, but: int) -> list[int]:
    found = psutil.process_iter(["pid", "cmdline"])
    return [each.pid for each in found if each.pid not in (but, os.getpid()) and mark in str(each.info["cmdline"])]


def _await(condition: object, seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]  # a callable
        assert time.monotonic() < deadline, "it did not come to be"
        time.sleep(0.05)
