"""The same attempts as a person makes them, through `xkg sandbox run --json`, judged in the same way."""

import json
import os
import pty
import secrets
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from escapes_run import BOMB, LIMITS, MIB, PLACES, Attempt, Ran, files, judge, survivors, traces_of, words
from escapes_scene import Scene
from escapes_table import ATTEMPTS

from agents.execution.sandbox.models import Result
from kg.config import Settings

NAMES = ("read_canaries", "environment_secret", "inherited_files", "memory_forked", "fork_bomb", "daemon", "terminal")
NAMES += ("outputs_links", "unix_socket", "ignore_signals", "output_stdout", "disk_unlinked")
CHOSEN = [attempt for attempt in ATTEMPTS if attempt.name in NAMES]


def _command(attempt: Attempt, scene: Scene, token: str, folder: Path, backend: str) -> list[str]:
    inside = {
        "control": False,
        "writable": PLACES,
        "read_only": [str(scene.read_only)],
        "read_only_files": [str(scene.read_only / "module.py")],
    }
    options = ["--backend", backend, "--memory", f"{LIMITS.memory // MIB}", "--pids", f"{LIMITS.pids}"]
    options += ["--disk", f"{LIMITS.disk // MIB}", "--output", f"{LIMITS.output // 1024}K"]
    options += ["--time", str(attempt.limits.get("wall", LIMITS.wall)), "--ro", str(scene.read_only)]
    options += ["--keep", str(folder / "kept")]
    (folder / "in").mkdir()
    for name, content in files(attempt, {**scene.told, **BOMB, **inside}).items():
        (folder / "in" / name).write_bytes(content)
        options += ["--in", str(folder / "in" / name)]
    return [sys.executable, "-m", "xkg", "sandbox", "run", "--json", *options, "--", "python3", "attempt.py", token]


def _environment(settings: Settings) -> dict[str, str]:
    return {
        **os.environ,
        **({"XKG_DOCKER_HOST": settings.execution.docker_host} if settings.execution.docker_host else {}),
    }


@pytest.mark.parametrize("attempt", CHOSEN, ids=lambda attempt: attempt.name)
def test_attempt_is_contained_by_the_command(
    attempt: Attempt, scene: Scene, settings_of_backend: tuple[str, Settings], tmp_path: Path
) -> None:
    backend, settings = settings_of_backend
    token = secrets.token_hex(12)
    command = _command(attempt, scene, token, tmp_path, backend)
    before = scene.fingerprint()
    with (scene.folder / "opened").open() as opened:
        os.set_inheritable(opened.fileno(), True)
        done = subprocess.run(command, env=_environment(settings), capture_output=True, close_fds=False, check=False)
    assert done.returncode == 0, done.stderr.decode()
    result = Result.model_validate_json(done.stdout)
    assert result.backend == backend
    ran = Ran(token, words(result.stdout + "\n" + result.stderr, token), result, survivors(token), tmp_path)
    for path in (tmp_path / "in").iterdir():  # what is given to the attempt is not what it left
        path.unlink()
    traces = [*traces_of(ran, scene), *(attempt.check(ran) if attempt.check else [])]
    traces += ["files of the host have changed"] if scene.fingerprint() != before else []
    outcome = judge(attempt, backend, ran, traces)
    assert outcome.verdict == "contained", outcome.why


def test_nothing_is_typed_into_the_terminal_of_whoever_starts_it(
    scene: Scene, settings_of_backend: tuple[str, Settings], tmp_path: Path
) -> None:
    """The command has a controlling terminal here; what is typed into it, by a key or by TIOCSTI, would be echoed."""
    backend, settings = settings_of_backend
    attempt = next(attempt for attempt in ATTEMPTS if attempt.name == "terminal")
    token = secrets.token_hex(12)
    shown = b"".join(_in_terminal(_command(attempt, scene, token, tmp_path, backend), _environment(settings)))
    text = shown.decode("utf-8", "replace").replace("\r\n", "\n")
    result = Result.model_validate(json.loads(text[text.index("{") : text.rindex("}") + 1]))
    ran = Ran(token, words(result.stdout, token), result, survivors(token), None)
    assert judge(attempt, backend, ran, traces_of(ran, scene)).verdict == "contained", text
    assert "\ntouch typed" not in text
    assert "owned" not in text.replace(result.stdout, "")


def _in_terminal(command: list[str], environment: dict[str, str]) -> Iterator[bytes]:
    """All that a terminal shows while the command runs in it."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe(command[0], command, environment)
    deadline = time.monotonic() + 60
    try:
        while time.monotonic() < deadline:
            if select.select([terminal], [], [], 0.5)[0]:
                try:
                    part = os.read(terminal, 65536)
                except OSError:
                    break
                if not part:
                    break
                yield part
    finally:
        os.close(terminal)
        os.waitpid(pid, 0)
