"""Running an attempt, in a sandbox or as a control on the host, and judging what came of it.

`contained` is only what is proven: the attempt says that it got as far as trying, it was refused or ended by the right
limit, and the host shows no trace. What leaves a trace or got what it must not have is `escaped`; all else, a crash of
the attempt or of the sandbox and a limit that was not the expected one, is `unproven`.
"""

import contextlib
import json
import os
import re
import secrets
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

import psutil
from escapes_scene import Scene

from agents.execution.sandbox.models import LimitName, Limits, Result, RunSpec, Sandbox

FOLDER = Path(__file__).parent / "attempts"
MIB = 1 << 20
LIMITS = Limits(wall=60, memory=192 * MIB, pids=48, disk=24 * MIB, output=256 * 1024)
WALL_SHORT = 3.0
LATE = 5.0
"""Seconds that a listener may take to note what a control has sent to it."""
BOMB = {"memory": 448 * MIB, "disk": 96 * MIB, "flood": 16 * MIB, "files": 300_000, "cpu": 4.0}
PLACES = ("/work", "/tmp", "/dev/shm")

Verdict = Literal["contained", "escaped", "unproven"]


@dataclass(frozen=True)
class Ran:
    """What is known of a run. `words` are the attempt's own, `survivors` the pids that bear its token afterwards."""

    token: str
    words: list[tuple[str, Any]]
    result: Result
    survivors: list[int]
    kept: Path | None

    def said(self, word: str) -> Any:
        """The last detail said with `word`, or None."""
        return next((detail for spoken, detail in reversed(self.words) if spoken == word), None)


@dataclass(frozen=True)
class Attempt:
    """One hostile script and what proves that it is contained.

    `proof` are words ("refused", "done", "killed": it ended by its own hand, and that counts as no success) or limits,
    any of which will do. `control` says where its positive control runs: "user" (anywhere), "root" and "nobody" (as
    root, and as root that gives up its rights), "kernel" (where the kernel was built with it), or "no: why not".
    `check` is the host's own look, one sentence for each trace found. `alone` ones need the machine for themselves.
    """

    name: str
    proof: frozenset[str] = frozenset({"refused"})
    limits: Mapping[str, float] = field(default_factory=dict)
    control: str = "user"
    check: Callable[[Ran], list[str]] | None = None
    alone: bool = False
    twice: bool = False

    @property
    def about_limits(self) -> bool:
        """Whether it is about what a run may use, all that differs where limits are polled."""
        return bool(self.proof & set(get_args(LimitName))) or self.name == "raise_limits"


@dataclass(frozen=True)
class Outcome:
    """The verdict on one attempt, with what it rests on."""

    attempt: str
    where: str
    verdict: Verdict
    why: str


def run_contained(attempt: Attempt, sandbox: Sandbox, scene: Scene, **told: Any) -> Outcome:
    """Run an attempt in a sandbox and judge it; where it runs twice, the second run is judged."""
    before = scene.fingerprint()
    told = {"generation": f"generation-{secrets.token_hex(8)}", **told}
    for _ in range(2 if attempt.twice else 1):
        token = secrets.token_hex(12)
        with tempfile.TemporaryDirectory(prefix="xkg-kept-") as kept:
            result = sandbox.run(_spec(attempt, scene, token, Path(kept) / "kept", told))
            ran = Ran(token, words(result.stdout + "\n" + result.stderr, token), result, survivors(token), Path(kept))
            traces = [*traces_of(ran, scene), *(attempt.check(ran) if attempt.check else [])]
    if scene.fingerprint() != before:
        traces.append("files of the host have changed")
    if result.backend != sandbox.name:
        traces.append(f"ran in {result.backend}")
    return judge(attempt, sandbox.name, ran, traces)


def _spec(attempt: Attempt, scene: Scene, token: str, keep: Path, told: dict[str, Any]) -> RunSpec:
    inside = {
        "control": False,
        "writable": PLACES,
        "read_only": ["/opt/env"],
        "read_only_files": ["/opt/env/module.py"],
        "mounts": ["/opt/env", "/usr"],
        "setuid_id": "/opt/env/id",
        "search": "/",
        "neighbour": "no neighbour",
    }
    return RunSpec(
        argv=("python3", "attempt.py", token),
        files=files(attempt, {**scene.told, **BOMB, **inside, **told}),
        read_only={"/opt/env": scene.read_only},
        limits=LIMITS.model_copy(update=dict(attempt.limits)),
        stdin=b"one line\n",
        keep=keep,
    )


def files(attempt: Attempt, told: Mapping[str, Any]) -> dict[str, bytes]:
    """What an attempt consists of."""
    return {
        "attempt.py": (FOLDER / f"{attempt.name}.py").read_bytes(),
        "probe.py": (FOLDER / "probe.py").read_bytes(),
        "scene.json": json.dumps(told).encode(),
    }


def words(text: str, token: str) -> list[tuple[str, Any]]:
    """What the attempt reported: each word once, in order. Lines without this run's token are nobody's report."""
    found: dict[tuple[str, str], None] = {}
    for match in re.finditer(rf"@{token} (trying|refused|done|escaped) ([^\n]*)\n", text):
        found[match.group(1), match.group(2)] = None
    return [(word, _read(detail)) for word, detail in found]


def _read(detail: str) -> Any:
    try:
        return json.loads(detail)
    except ValueError:
        return detail


def survivors(token: str) -> list[int]:
    """Processes of the host, in whatever namespace, that bear the token in their command line."""
    found = []
    for process in psutil.process_iter():
        try:
            if any(token in word for word in process.cmdline()):
                found.append(process.pid)
        except psutil.Error:
            continue
    return found


def traces_of(ran: Ran, scene: Scene) -> list[str]:
    """What the host sees of an escape, whichever attempt it was."""
    traces = [f"reached the listener {listener}" for listener in scene.arrivals.of(ran.token)]
    traces += [f"process {pid} lives on" for pid in ran.survivors]
    traces += [f"left its mark in {folder}" for folder in scene.touched(ran.token)]
    if not scene.victim_lives():
        traces.append("the victim is dead or traced")
    shown = (ran.result.stdout + ran.result.stderr).encode()
    kept = [path for path in ran.kept.rglob("*") if not path.is_dir() or path.is_symlink()] if ran.kept else []
    for path in kept:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode) or status.st_mode & (stat.S_ISUID | stat.S_ISGID):
            traces.append(f"the kept output {path.name!r} is no plain file")
        elif status.st_size < 64 * MIB:
            shown += path.read_bytes()
    if ran.kept and sum(path.lstat().st_blocks * 512 for path in kept) > 2 * LIMITS.disk + 16 * MIB:
        traces.append("more was kept than the disk limit allows")
    traces += [f"shows the secret of {name}" for name, secret in scene.secrets.items() if secret.encode() in shown]
    return traces


def judge(attempt: Attempt, where: str, ran: Ran, traces: list[str]) -> Outcome:
    """The verdict: traces and confessions first, then proof, else nothing is proven."""
    result, spoken = ran.result, [word for word, _ in ran.words]
    end = f"exit {result.exit_code}, signal {result.signal}, limit {result.limit}"
    if "escaped" in spoken or traces:
        confessed = [f"it says {ran.said('escaped')}"] if "escaped" in spoken else []
        return Outcome(attempt.name, where, "escaped", f"{'; '.join(traces + confessed)} ({end})")
    if result.limit is None:
        word = next((word for word in ("refused", "done") if word in spoken and word in attempt.proof), None)
        if word and result.exit_code == 0:
            return Outcome(attempt.name, where, "contained", f"{word}: {str(ran.said(word))[:400]}")
        if "killed" in attempt.proof and "trying" in spoken and not result.passed:
            return Outcome(attempt.name, where, "contained", f"ended itself ({end})")
    elif result.limit in attempt.proof and spoken:
        return Outcome(attempt.name, where, "contained", f"ended by {result.limit} after {result.wall_s:.1f} s ({end})")
    told = (result.stderr or result.stdout)[-600:].strip()
    return Outcome(attempt.name, where, "unproven", f"{end}; it said {spoken}; {told}")


def run_control(attempt: Attempt, scene: Scene) -> Outcome:
    """Run an attempt as a careless program would, as a child that inherits everything, and judge it alike."""
    token = secrets.token_hex(12)
    with tempfile.TemporaryDirectory(prefix="xkg-control-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        inside = {
            "control": True,
            "writable": [name, f"{name}/tmp", f"{name}/shm"],
            "read_only": [str(scene.read_only)],
            "read_only_files": [str(scene.read_only / "module.py")],
            "mounts": [str(scene.read_only)],
            "setuid_id": str(scene.read_only / "id"),
            "search": str(scene.folder),
            "neighbour": "listener",
            "generation": "generation",
            "cpu": 0.2,
            "files": 2000,
            "disk": 12 * MIB,
            "memory": 64 * MIB,
        }
        (folder / "tmp").mkdir()
        (folder / "shm").mkdir()
        for path, content in files(attempt, {**scene.told, **BOMB, **inside}).items():
            (folder / path).write_bytes(content)
        before = scene.fingerprint()
        for _ in range(2 if attempt.twice else 1):
            ran = _careless(folder, token, attempt, scene)
        deadline = time.monotonic() + LATE
        while not (found := traces_of(ran, scene)) and not ran.said("escaped") and time.monotonic() < deadline:
            time.sleep(0.1)  # a listener of the scene may be slower than what has been sent to it
        traces = [*found, *(attempt.check(ran) if attempt.check else [])]
        if scene.fingerprint() != before:
            traces.append("files of the host have changed")
        for path in scene.touched(token):
            (Path(path) / token).unlink()
        return judge(attempt, "control", ran, traces)


def _careless(folder: Path, token: str, attempt: Attempt, scene: Scene) -> Ran:
    command = [sys.executable, "attempt.py", token]
    if attempt.control == "root":
        command = ["unshare", "--mount", "--propagation", "private", "--fork", *command]
    if attempt.control == "nobody":
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", *command[1:]]
        folder.chmod(0o777)
    with (folder / "out").open("w+b") as out, (scene.folder / "opened").open() as opened:
        os.set_inheritable(opened.fileno(), True)
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=out, stderr=out, close_fds=False, start_new_session=True
        )
        try:
            process.communicate(b"one line\n", timeout=WALL_SHORT if "wall" in attempt.proof else 60)
        except subprocess.TimeoutExpired:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(1)
        out.seek(0)
        text = out.read(64 * MIB).decode("utf-8", "replace")
    code = process.returncode
    result = Result(
        exit_code=code if code is not None and code >= 0 else None,
        signal=-code if code is not None and code < 0 else None,
        stdout=text,
        stderr="",
        wall_s=0,
        cpu_s=0,
        enforced={},
        backend="unsafe-local",
    )
    left = survivors(token)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    process.wait()
    return Ran(token, words(text, token), result, left, None)
