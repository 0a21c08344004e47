"""A folder of the cache is whole or not there, also beside what a killed process has left running."""

import subprocess
import sys
from pathlib import Path

from kg.caching import building

BUSY = """
import pathlib, sys, time
folder = pathlib.Path(sys.argv[1])
print("at work", flush=True)
while True:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "file").write_text("x")
"""


def test_a_program_that_still_writes_for_a_killed_process_is_in_nobodys_way(tmp_path: Path) -> None:
    final = tmp_path / "folder"
    busy = subprocess.Popen([sys.executable, "-c", BUSY, tmp_path / ".folder.new"], stdout=subprocess.PIPE)
    try:
        assert busy.stdout and busy.stdout.readline()
        for _ in range(50):
            with building(final) as new:
                (new / "content").write_text("whole")
        assert [path.name for path in final.iterdir()] == ["content"]
    finally:
        busy.kill()
        busy.communicate()


def test_what_killed_processes_left_is_swept_away(tmp_path: Path) -> None:
    for name in (".folder.new", ".folder~12345.new", ".folder~x.new", ".other.new"):
        (tmp_path / name / "half").mkdir(parents=True)
    with building(tmp_path / "folder"):
        pass
    assert sorted(path.name for path in tmp_path.iterdir()) == [".folder~x.new", ".other.new", "folder"]
