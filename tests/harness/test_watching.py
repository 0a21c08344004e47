"""What a job read is told by the kernel, whoever read it and however."""

import importlib.util
import mmap
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import agents.execution.harness
from agents.execution.harness import Inputs

Run = Callable[[], object]
INSIDE = Path(agents.execution.harness.__file__).parent / "inside"


def _watching() -> Any:
    spec = importlib.util.spec_from_file_location("watching", INSIDE / "watching.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    for path in ("top.txt", "data/a.txt", "data/b.txt", "data/deep/c.txt", "other/d.txt"):
        file = tmp_path / "repo" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(path)
    return tmp_path / "repo"


def seen(repo: Path, run: Run) -> Inputs:
    watch = _watching().Watch(str(repo))
    watch.start()
    run()
    return Inputs.parse(watch.stop())


def test_nothing_was_read(repo: Path) -> None:
    assert seen(repo, lambda: None) == Inputs()


def test_files_and_folders_that_were_opened(repo: Path) -> None:
    def run() -> None:
        (repo / "data/a.txt").read_text()
        list((repo / "data").iterdir())

    assert seen(repo, run) == Inputs(frozenset({"data/a.txt"}), frozenset({"data"}))


def test_the_top_is_listed(repo: Path) -> None:
    assert seen(repo, lambda: list(repo.iterdir())).listed == {""}


def test_reading_below_python(repo: Path) -> None:
    def run() -> None:
        subprocess.run(["cat", str(repo / "data/deep/c.txt")], check=True, capture_output=True)
        with (repo / "top.txt").open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
            assert view[:3] == b"top"

    assert seen(repo, run).read == {"data/deep/c.txt", "top.txt"}


def test_what_is_run_or_imported(repo: Path) -> None:
    (repo / "run.sh").write_text("#!/bin/sh\nexit 0\n")
    (repo / "run.sh").chmod(0o755)
    (repo / "mod.py").write_text("x = 1\n")

    def run() -> None:
        subprocess.run([str(repo / "run.sh")], check=True)
        subprocess.run([sys.executable, "-B", "-c", "import mod"], check=True, cwd=repo)

    found = seen(repo, run)
    assert found.read == {"run.sh", "mod.py"}
    assert found.listed == {""}


def test_what_the_run_made_is_no_input(repo: Path) -> None:
    def run() -> None:
        (repo / "out").mkdir()
        (repo / "out/new.txt").write_text("new")
        (repo / "data/new.txt").write_text("new")
        (repo / "data/new.txt").read_text()
        (repo / "out/new.txt").read_text()

    assert seen(repo, run) == Inputs()


def other_name(repo: Path, make: Callable[[Path, Path], object]) -> Run:
    def run() -> None:
        make(repo / "data/a.txt", repo.parent / "elsewhere")
        (repo.parent / "elsewhere").read_text()
        (repo.parent / "elsewhere").unlink()

    return run


@pytest.mark.parametrize("make", [os.link, os.rename, os.symlink])
def test_reading_under_another_name(repo: Path, make: Callable[[Path, Path], object]) -> None:
    found = seen(repo, other_name(repo, make))
    assert found.complete
    assert found.read == {"data/a.txt"}


def test_a_folder_that_is_moved(repo: Path) -> None:
    def run() -> None:
        (repo / "data").rename(repo.parent / "moved")
        (repo.parent / "moved/b.txt").read_text()

    assert seen(repo, run).read == {"data/a.txt", "data/b.txt", "data/deep/c.txt"}


def test_more_events_than_the_kernel_keeps(repo: Path) -> None:
    def run(_: object = None) -> None:
        for _ in range(20_000):  # equal events in a row count once
            (repo / "data/a.txt").read_bytes()
            (repo / "data/b.txt").read_bytes()

    assert seen(repo, run) == Inputs(complete=False)


def test_events_that_are_taken_in_time(repo: Path) -> None:
    watch = _watching().Watch(str(repo))
    watch.start()
    for _ in range(200):
        for _ in range(50):
            (repo / "data/a.txt").read_bytes()
            (repo / "data/b.txt").read_bytes()
        assert watch.read()
    assert Inputs.parse(watch.stop()) == Inputs(frozenset({"data/a.txt", "data/b.txt"}))


@pytest.mark.parametrize(("bound", "least"), [("FOLDERS", 3), ("FILES", 4), ("INPUTS", 1)])
def test_more_than_can_be_kept(repo: Path, bound: str, least: int) -> None:
    module = _watching()
    setattr(module, bound, least)
    watch = module.Watch(str(repo))
    watch.start()
    for name in ("a", "b"):
        (repo / f"data/{name}.txt").read_text()
    assert Inputs.parse(watch.stop()) == Inputs(complete=False)


def test_no_watch_can_be_had(repo: Path) -> None:
    program = (
        "import resource, sys\n"
        f"sys.path.insert(0, {str(INSIDE)!r})\n"
        "import watching\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))\n"
        "watch = watching.Watch(sys.argv[1])\n"
        "watch.start()\n"
        "assert watch.read()\n"
        "assert watch.stop() == {'read': [], 'listed': [], 'complete': False}\n"
    )
    subprocess.run([sys.executable, "-B", "-c", program, str(repo)], check=True)


def test_each_start_is_a_new_watch(repo: Path) -> None:
    watch = _watching().Watch(str(repo))
    watch.start()
    (repo / "top.txt").read_text()
    assert watch.stop()["read"] == ["top.txt"]
    watch.start()
    assert watch.stop() == {"read": [], "listed": [], "complete": True}


def test_a_child_that_forgets_takes_nothing_away(repo: Path) -> None:
    watch = _watching().Watch(str(repo))
    watch.start()
    if (pid := os.fork()) == 0:
        watch.forget()
        (repo / "top.txt").read_text()
        os._exit(watch.fd != -1)
    assert os.waitpid(pid, 0)[1] == 0
    assert watch.stop()["read"] == ["top.txt"]


def test_inputs_of_several_jobs() -> None:
    one, other = Inputs(frozenset({"a"}), frozenset({""})), Inputs(frozenset({"b"}))
    assert Inputs.union([one, other]) == one | other == Inputs(frozenset({"a", "b"}), frozenset({""}))
    assert not Inputs.union([one, None]).complete
    assert not (one | Inputs(complete=False)).complete


@pytest.mark.parametrize(
    "record",
    [
        None, [], {}, {"read": [], "listed": []}, {"read": [1], "listed": [], "complete": True},
        {"read": ["/etc/passwd"], "listed": [], "complete": True},
        {"read": ["a/../../b"], "listed": [], "complete": True},
        {"read": "a", "listed": [], "complete": True}, {"read": [], "listed": [], "complete": 1},
    ],
)  # fmt: skip
def test_a_record_of_another_shape_is_incomplete(record: object) -> None:
    assert Inputs.parse(record) == Inputs(complete=False)
