"""The sandboxes of the tests."""

import pytest
from bubblewrap_boxes import BOXES, EVERY

from agents.execution.sandbox.bubblewrap import BubblewrapSandbox


@pytest.fixture(params=BOXES or ["none"])
def box(request: pytest.FixtureRequest) -> BubblewrapSandbox:
    """The first bubblewrap, limiting in both ways; the mark `sandbox` has seen to it that there is one."""
    return BOXES[request.param]


@pytest.fixture(params=EVERY or ["none"])
def every_box(request: pytest.FixtureRequest) -> BubblewrapSandbox:
    """Each program in turn."""
    return EVERY[request.param]
