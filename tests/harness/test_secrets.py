"""What a job can find out of the run that it is part of: nothing that tells it from another, and no key."""

from pathlib import Path

import pytest

from agents.execution.environments import EnvironmentSpec, build_environment
from agents.execution.harness import Harness, Job, Workspace
from agents.execution.sandbox import open_sandbox
from kg.config import load_settings

pytestmark = pytest.mark.sandbox
MIB = 1024 * 1024

LOOK = """
import gc, os, sys
found, mark, word = [], 'TERCES', 'etatum'  # read backwards, or they find themselves
def look(value, depth=0):
    if isinstance(value, dict) and depth < 4:
        for key, item in list(value.items()):
            found.append(str(key)); look(item, depth + 1)
    elif isinstance(value, (list, tuple)) and depth < 4:
        for item in list(value)[:50]: look(item, depth + 1)
    elif isinstance(value, (str, bytes)):
        found.append(str(value)[:300])
frame = sys._getframe()
while frame:
    look(frame.f_locals)
    frame = frame.f_back
for value in gc.get_objects():
    if isinstance(value, dict) and (word[::-1] in value or mark in str(value)[:100000][::-1]):
        found.append(mark[::-1] + " in a plan: %s" % sorted(map(str, value))[:20])
look(dict(os.environ)); look(sys.argv)
"""


@pytest.fixture(scope="module")
def harness(_own_environment: None) -> Harness:
    bare = build_environment(EnvironmentSpec(python="3.11", strategy="no packages"), load_settings())
    return Harness(bare, open_sandbox(load_settings(), "bubblewrap"), 1024 * MIB)


def test_a_job_is_not_told_which_it_is(harness: Harness) -> None:
    """Neither its name nor that anything is changed for it is in a frame, an object, the environment, an argument."""
    text = LOOK + "print([each for each in found if mark in each[::-1] or each[::-1] == word])"
    given = {"script": "s.py", "write": {"s.py": text}, "test_line": 1, "quick": True}
    jobs = [
        Job("SECRET first", "script", 20, given),
        Job("SECRET second", "script", 20, {**given, "mutate": {"path": "other.py", "text": "OTHER = 1"}}),
    ]
    found = harness.run(jobs, Workspace(write={"other.py": "OTHER = 0"}, fresh=True), 60).results
    assert [result.log for result in found.values()] == ["[]\n", "[]\n"]


def test_what_a_job_leaves_in_the_file_system_is_undone(harness: Harness) -> None:
    """Also what keeps its size and times, and links, rights and folders."""
    spoil = (
        "import os\n"
        "state = os.stat('data')\n"
        "open('data', 'w').write('wrong')\n"
        "os.utime('data', ns=(state.st_atime_ns, state.st_mtime_ns))\n"
        "os.mkdir('new'); open('new/file', 'w').close(); os.chmod('new', 0)\n"
        "os.remove('kept/gone'); os.symlink('/', 'kept/gone')\n"
        "open('/tmp/counter', 'w').close()\n"
    )
    look = (
        "import os\n"
        "assert sorted(os.listdir()) == ['data', 'kept', 's.py'], os.listdir()\n"
        "assert open('data').read() == 'right'\n"
        "assert open('kept/gone').read() == 'here'\n"
        "assert not os.path.exists('/tmp/counter')\n"
    )
    jobs = [
        Job(name, "script", 20, {"script": "s.py", "write": {"s.py": text}, "test_line": 1, "quick": True})
        for name, text in (("spoils", spoil), ("looks", look))
    ]
    found = harness.run(jobs, Workspace(write={"data": "right", "kept/gone": "here"}, fresh=True), 60).results
    assert [result.ended for result in found.values()] == ["finished", "finished"], found["looks"].log


def test_a_report_that_another_writes_makes_its_job_forged(harness: Harness) -> None:
    """To every descriptor, also with the form of a report."""
    text = (
        "import os\n"
        "for fd in range(3, 64):\n"
        "    try:\n"
        "        os.write(fd, b'0' * 128 + b' {\"event\":\"finished\"}\\n')\n"
        "    except OSError:\n"
        "        pass\n"
    )
    job = Job("forges", "script", 20, {"script": "s.py", "write": {"s.py": text}, "test_line": 1, "quick": True})
    assert harness.run([job], Workspace(fresh=True), 60).results["forges"].ended == "forged"


def test_a_hidden_zygote_is_replaced(harness: Harness) -> None:
    """A job that stops or kills the process that it was forked from costs nobody else a result."""
    text = (
        "import os, signal\n"
        "for name in os.listdir('/proc'):\n"
        "    if name.isdigit():\n"
        "        try:\n"
        "            line = open('/proc/%s/cmdline' % name, 'rb').read()\n"
        "        except OSError:\n"
        "            continue\n"
        "        if b'zygote' in line and int(name) != os.getpid():\n"
        "            os.kill(int(name), signal.SIG)\n"
    )
    options = {"script": "s.py", "test_line": 1, "quick": True}
    jobs = [
        Job(name, "script", 30, {**options, "write": {"s.py": body}})
        for name, body in (
            ("kills", text.replace("signal.SIG)", "signal.SIGKILL)")),
            ("stops", text.replace("signal.SIG)", "signal.SIGSTOP)")),
            ("after", "print('here')"),
        )
    ]
    found = harness.run(jobs, Workspace(fresh=True), 120).results
    assert found["after"].ended == "finished", {name: result.ended for name, result in found.items()}


def test_what_is_executable_stays_so(harness: Harness, tmp_path: Path) -> None:
    for name, mode in (("runs.sh", 0o755), ("reads.txt", 0o644)):
        (tmp_path / name).write_text("#!/bin/sh\necho here\n")
        (tmp_path / name).chmod(mode)
    text = "import os\nprint([os.access('../repo/' + name, os.X_OK) for name in ('runs.sh', 'reads.txt')])\n"
    given = {"script": "s/s.py", "write": {"s/s.py": text}, "test_line": 1, "quick": True}
    space = Workspace(repository=tmp_path, files=("reads.txt", "runs.sh"), size=MIB, fresh=True)
    assert harness.run([Job("looks", "script", 20, given)], space, 60).results["looks"].log == "[True, False]\n"
