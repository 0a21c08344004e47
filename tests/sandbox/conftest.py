"""The sandboxes as fixtures: a test that takes `sandbox` says what holds on each backend."""

import pytest
from boxes import BOXES, BUBBLEWRAP, DOCKER, EVERY, POLLED

from agents.execution.sandbox import Sandbox, open_sandbox
from agents.execution.sandbox.bubblewrap import BubblewrapSandbox


@pytest.fixture(scope="session", params=[BUBBLEWRAP, DOCKER])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """Each backend in turn."""
    return _opened(request)


@pytest.fixture(scope="session", params=[BUBBLEWRAP, POLLED, DOCKER])
def limiting(request: pytest.FixtureRequest) -> Sandbox:
    """Each way to keep a run within its limits."""
    return _opened(request)


@pytest.fixture(params=[BUBBLEWRAP, POLLED])
def box(request: pytest.FixtureRequest) -> BubblewrapSandbox:
    """The first bubblewrap, limiting in both ways."""
    return BOXES[request.param]


@pytest.fixture(params=EVERY or ["none"])
def every_bubblewrap(request: pytest.FixtureRequest) -> BubblewrapSandbox:
    """Each program in turn; the mark `sandbox` has seen to it that there is one."""
    return EVERY[request.param]


def _opened(request: pytest.FixtureRequest) -> Sandbox:
    if request.param == "docker":
        return open_sandbox(request.getfixturevalue("docker_settings"), "docker")
    return BOXES[request.param]
