"""One scene, and for each backend one round of all attempts that the chosen tests ask about."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from escapes_left import Left, look
from escapes_run import Attempt, Outcome, run_contained
from escapes_scene import SECRET_NAME, Scene, open_scene
from escapes_table import ATTEMPTS, BACKENDS, BESIDE, POLLED, attempts_on
from neighbour import neighbour

from agents.execution.sandbox import Sandbox, open_sandbox
from agents.execution.sandbox.bubblewrap import BubblewrapSandbox
from kg.config import Settings, load_settings

WORKERS = 3
_rounds: list[tuple[str, bool]] = []


@pytest.fixture(scope="session")
def own_tmp() -> Iterator[Path]:
    """The folder of temporary files while attempts run: readable for all, as /tmp is, and to be found empty after."""
    folder = Path(tempfile.mkdtemp(prefix="xkg-escapes-"))
    folder.chmod(0o755)
    (folder / "tmp").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(folder / "tmp"))
        patch.setattr(tempfile, "tempdir", str(folder / "tmp"))
        yield folder / "tmp"
    shutil.rmtree(folder)


@pytest.fixture
def scene(own_tmp: Path) -> Iterator[Scene]:
    """A scene of the test's own, whose secrets the launcher bears as well."""
    with _told_scene() as opened:
        yield opened


@contextmanager
def _told_scene() -> Iterator[Scene]:
    with open_scene(load_settings().home) as scene, pytest.MonkeyPatch.context() as patch:
        patch.setenv(SECRET_NAME, scene.secrets["environment"])
        patch.setenv("AWS_SECRET_ACCESS_KEY", scene.secrets["environment"])
        yield scene


@pytest.fixture(scope="session", params=BACKENDS)
def settings_of_backend(request: pytest.FixtureRequest) -> tuple[str, Settings]:
    """The name of a backend, and settings with which it opens."""
    if request.param == "docker":
        return "docker", request.getfixturevalue("docker_settings")
    return "bubblewrap", load_settings()


@pytest.fixture(scope="session", params=(*BACKENDS, POLLED))
def sandbox(request: pytest.FixtureRequest, own_tmp: Path) -> Sandbox:
    """The backend, opened as every program opens it."""
    if request.param == "docker":
        return open_sandbox(request.getfixturevalue("docker_settings"), "docker")
    opened = open_sandbox(load_settings(), "bubblewrap")
    if request.param == "polled":
        assert isinstance(opened, BubblewrapSandbox)
        return BubblewrapSandbox(opened.program, groups=False)
    return opened


@pytest.fixture(scope="session")
def round_of(sandbox: Sandbox, request: pytest.FixtureRequest) -> tuple[dict[str, Outcome], Left, Left]:
    """What came of the attempts on one backend, and what the host looked like before and after them."""
    made = (sandbox.name, getattr(sandbox, "groups", True))
    assert made not in _rounds, "a round takes minutes and serves every test of its backend"
    _rounds.append(made)
    wanted = [attempt for attempt in _asked_for(request) if attempt in attempts_on(sandbox)]
    with _told_scene() as scene:
        containers = sandbox.name == "docker"
        before = look(containers=containers)
        outcomes: dict[str, Outcome] = {}
        together = [attempt for attempt in wanted if not attempt.alone and attempt.name not in BESIDE]
        for attempts, workers in ((together, WORKERS), ([attempt for attempt in wanted if attempt.alone], 1)):
            with ThreadPoolExecutor(workers) as pool:
                runs = {a.name: pool.submit(run_contained, a, sandbox, scene) for a in attempts}
            outcomes.update({name: _outcome(name, sandbox, run) for name, run in runs.items()})
        for attempt in (attempt for attempt in wanted if attempt.name in BESIDE):
            with neighbour(sandbox) as name:
                outcomes[attempt.name] = run_contained(attempt, sandbox, scene, neighbour=name)
        return outcomes, before, look(containers=containers)


def _outcome(name: str, sandbox: Sandbox, run: "Future[Outcome]") -> Outcome:
    """What an attempt came to; one that makes the supervisor itself fail has proven nothing good."""
    error = run.exception()
    return Outcome(name, sandbox.name, "unproven", f"the supervisor failed: {error!r}") if error else run.result()


def _asked_for(request: pytest.FixtureRequest) -> list[Attempt]:
    """The attempts that the chosen tests name; all of them if a test asks about the round as a whole."""
    items = [item for item in request.session.items if "round_of" in getattr(item, "fixturenames", ())]
    given = [item.callspec.params.get("attempt") for item in items if isinstance(item, pytest.Function)]
    named = {attempt.name if attempt else None for attempt in given}
    return [attempt for attempt in ATTEMPTS if None in named or attempt.name in named]


@pytest.fixture
def is_root() -> bool:
    """Whether the tests, and so the launcher, run as root."""
    return os.geteuid() == 0
