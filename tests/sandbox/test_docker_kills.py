"""Whatever dies, supervisor or engine, nothing of a run goes on and nobody waits for ever."""

import contextlib
import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from servers import dockerd

from agents.execution.sandbox import Limits, RunSpec, SandboxError, docker_supervise, open_sandbox
from agents.execution.sandbox.docker_backend import DockerSandbox, open_docker
from agents.execution.sandbox.docker_build import build
from agents.execution.sandbox.docker_container import places, settings_of
from agents.execution.sandbox.docker_engine import OWNER, RUN, connect, sweep
from agents.execution.sandbox.docker_image import IMAGE
from kg.config import Settings

pytestmark = [pytest.mark.dockerd, pytest.mark.crash]

SLEEP = "import time; print('up', flush=True); time.sleep(300)"
CHILD = """
import os, sys
from agents.execution.sandbox import Limits, RunSpec, open_sandbox
from kg.config import load_settings
sandbox = open_sandbox(load_settings().replace(execution__docker_host=sys.argv[1]), "docker")
print("ready", flush=True)
sandbox.run(RunSpec(argv=("python3", "-c", sys.argv[2]), limits=Limits(wall=300)))
"""


def containers(settings: Settings, *, running: bool = False) -> list[str]:
    with closing(connect(settings)) as engine:
        return [one["Id"] for one in engine.containers(all=not running, filters={"label": RUN})]


def until(true: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline, what
        time.sleep(0.1)


@contextlib.contextmanager
def supervisor(settings: Settings, code: str = SLEEP) -> Iterator[subprocess.Popen[str]]:
    """A process that is in the middle of a run."""
    address = settings.execution.docker_host or "unix:///var/run/docker.sock"
    process = subprocess.Popen([sys.executable, "-c", CHILD, address, code], stdout=subprocess.PIPE, text=True)
    with process, process.stdout:
        try:
            assert process.stdout.readline() == "ready\n"
            until(lambda: bool(containers(settings, running=True)), "the run did not start")
            yield process
        finally:
            process.kill()


def test_a_killed_supervisors_container_ends_at_once_and_is_swept(docker_settings: Settings) -> None:
    with supervisor(docker_settings) as process:
        process.kill()
        process.wait()
        until(lambda: not containers(docker_settings, running=True), "the container goes on")
    assert containers(docker_settings)
    open_sandbox(docker_settings, "docker")
    assert not containers(docker_settings)


def test_ignoring_every_signal_does_not_help_a_command_whose_supervisor_died(docker_settings: Settings) -> None:
    code = "import signal\nfor n in set(signal.Signals) - {9, 19}: signal.signal(n, signal.SIG_IGN)\n" + SLEEP
    with supervisor(docker_settings, code) as process:
        process.kill()
        process.wait()
        until(lambda: not containers(docker_settings, running=True), "the container goes on")
    open_sandbox(docker_settings, "docker")
    assert not containers(docker_settings)


def test_an_interrupted_supervisor_leaves_nothing(docker_settings: Settings) -> None:
    with supervisor(docker_settings) as process:
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) != 0
    assert not containers(docker_settings)


def test_a_sweep_leaves_the_living_alone(docker_settings: Settings) -> None:
    with supervisor(docker_settings):
        open_sandbox(docker_settings, "docker")
        assert containers(docker_settings, running=True)
    until(lambda: not containers(docker_settings, running=True), "the container goes on")
    open_sandbox(docker_settings, "docker")


@pytest.mark.parametrize(
    ("change", "swept"),
    [
        ({}, False),
        ({OWNER: "b007-1-1-1"}, False),
        ({OWNER: "b007-1-1-1", "xkg.expires": "1"}, True),
        ({OWNER: "nonsense", "xkg.expires": "nonsense"}, True),
        ({"xkg.expires": "1"}, True),
    ],
)
def test_what_is_swept(docker_settings: Settings, change: dict[str, str], swept: bool) -> None:
    """A live owner's container stays; where the owner can't be seen, its time decides."""
    with closing(connect(docker_settings)) as engine, places(docker_settings.cache) as folders:
        given = settings_of(engine, IMAGE, RunSpec(argv=("true",)), ["true"], 1 << 20, folders)
        given["Labels"].update(change)
        made = engine.create_container_from_config(given)["Id"]
        try:
            sweep(engine)
            assert (made in containers(docker_settings)) is not swept
        finally:
            if not swept:
                engine.remove_container(made, force=True)


def test_four_at_once(docker_settings: Settings) -> None:
    sandbox = open_docker(docker_settings)

    def run(number: int) -> tuple[str, list[int]]:
        code = f"import time; time.sleep(0.5); open('out', 'w').write('x' * {number}); print({number})"
        result = sandbox.run(RunSpec(argv=("python3", "-c", code)))
        return result.stdout, [output.size for output in result.outputs]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(run, range(8))) == [(f"{number}\n", [number]) for number in range(8)]
    assert not containers(docker_settings)


def test_a_container_that_someone_else_removes_is_told(docker_settings: Settings) -> None:
    sandbox = open_docker(docker_settings)

    def remove() -> None:
        until(lambda: bool(containers(docker_settings, running=True)), "the run did not start")
        with closing(connect(docker_settings)) as engine:
            engine.remove_container(containers(docker_settings)[0], force=True)

    thread = threading.Thread(target=remove)
    thread.start()
    with pytest.raises(SandboxError):
        sandbox.run(RunSpec(argv=("python3", "-c", SLEEP), limits=Limits(wall=60)))
    thread.join()


@pytest.mark.skipif(os.geteuid() != 0, reason="stopping process 1 from outside needs root")
def test_a_process_1_that_does_nothing_any_more_is_killed(
    docker_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(docker_supervise, "GRACE", 1.0)
    monkeypatch.setattr(docker_supervise, "SILENCE", 2.0)
    sandbox = open_docker(docker_settings)
    with ThreadPoolExecutor(1) as pool, closing(connect(docker_settings)) as engine:
        running = pool.submit(sandbox.run, RunSpec(argv=("python3", "-c", SLEEP), limits=Limits(wall=3)))
        until(lambda: bool(containers(docker_settings, running=True)), "the run did not start")
        time.sleep(1)
        state = engine.inspect_container(containers(docker_settings, running=True)[0])["State"]
        os.kill(state["Pid"], signal.SIGSTOP)
        result = running.result(60)
    assert (result.limit, result.signal, result.outputs) == ("wall", signal.SIGKILL, ())
    assert not containers(docker_settings)


@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")  # the SDK leaks the socket of a failed attempt
@pytest.mark.skipif(bool(dockerd.missing()), reason="needs an engine of its own, which it kills")
def test_an_engine_that_dies_is_told_and_the_next_one_works(docker_settings: Settings) -> None:
    with dockerd.dockerd() as address:
        settings = docker_settings.replace(execution__docker_host=address)
        build(settings, debootstrap=True)
        sandbox = DockerSandbox(settings)
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(sandbox.run, RunSpec(argv=("python3", "-c", SLEEP), limits=Limits(wall=300)))
            until(lambda: bool(containers(settings, running=True)), "the run did not start")
            os.kill(dockerd.pid_of(address), signal.SIGKILL)
            with pytest.raises(SandboxError):
                running.result(120)
        with pytest.raises(SandboxError, match="no Docker engine answers"):
            open_docker(settings)
        del running, sandbox
        gc.collect()
