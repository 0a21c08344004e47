"""Control groups: made, read and removed for real where the system lets us; version 2 read as the kernel writes it."""

import subprocess
import sys
from pathlib import Path

import pytest

from agents.execution.sandbox.cgroups import PREFIX, Group, make_group, sweep
from agents.execution.sandbox.models import Limits

MIB = 1024 * 1024


@pytest.fixture
def group() -> Group:
    made = make_group(Limits(memory=64 * MIB, pids=8), memory=0, overhead=0)
    if made is None:
        pytest.skip("no control group can be made here: run as root, or in a delegated group")
    return made


def test_a_group_is_made_with_its_limits_and_removed(group: Group) -> None:
    assert all(folder.is_dir() and folder.name.startswith(PREFIX) for folder in group.folders)
    assert (group.pids / "pids.max").read_text().strip() == "8"
    name = "memory.limit_in_bytes" if group.version == 1 else "memory.max"
    assert int((group.memory / name).read_text()) == 64 * MIB
    assert group.passed(Limits()) is None
    group.end()
    assert not [folder for folder in group.folders if folder.exists()]
    group.end()


def test_what_runs_in_a_group_is_killed_with_it(group: Group) -> None:
    sleeper = subprocess.Popen(["sleep", "900"])
    for folder in group.folders:
        (folder / "cgroup.procs").write_text(str(sleeper.pid))
    group.end()
    assert sleeper.wait(10) == -9
    assert not [folder for folder in group.folders if folder.exists()]


def test_only_groups_of_the_dead_are_swept(group: Group) -> None:
    code = (
        "from agents.execution.sandbox.cgroups import make_group; from agents.execution.sandbox.models import Limits\n"
        "print(*make_group(Limits(), memory=0, overhead=0).folders, sep='\\n')"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    left = [Path(line) for line in told.splitlines()]
    assert left
    assert sweep() >= 1
    assert not [folder for folder in left if folder.exists()]
    assert all(folder.is_dir() for folder in group.folders)
    group.end()


def test_version_2_is_read_as_the_kernel_writes_it(tmp_path: Path) -> None:
    group = Group(2, tmp_path, tmp_path, tmp_path)
    files = {
        "memory.events": "low 0\nhigh 0\nmax 12\noom 0\noom_kill 0\noom_group_kill 0\n",
        "pids.events": "max 0\n",
        "cpu.stat": "usage_usec 1500000\nuser_usec 1000000\nsystem_usec 500000\n",
        "memory.peak": "1048576\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert group.passed(Limits(cpu=2)) is None
    assert group.passed(Limits(cpu=1)) == "cpu"
    assert (group.cpu_seconds(), group.peak_memory()) == (1.5, MIB)
    (tmp_path / "pids.events").write_text("max 3\n")
    assert group.passed(Limits()) == "pids"
    (tmp_path / "memory.events").write_text("low 0\nhigh 0\nmax 12\noom 1\noom_kill 1\n")
    assert group.passed(Limits()) == "memory"


def test_a_kernel_that_keeps_no_account_is_no_error(tmp_path: Path) -> None:
    group = Group(2, tmp_path, tmp_path, None)
    assert (group.cpu_seconds(), group.peak_memory(), group.passed(Limits(cpu=1))) == (0.0, None, None)
    assert "cpu" not in group.enforced
    assert group.folders == (tmp_path,)
