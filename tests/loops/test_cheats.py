"""Agents whose tests and program exit with 0 and show nothing end unproven, and are told why before."""

from typing import Any

import pytest
from loops import replica
from loops.conftest import Replicate
from servers.model import ModelServer

from agents.loops.telling import told

pytestmark = [pytest.mark.db, pytest.mark.sandbox]

NOTHING = "def test_x():\n    pass\n"


def test_basic_is_told_that_nothing_is_shown_and_ends_unproven(replicate: Replicate, server: ModelServer) -> None:
    whole = {**replica.FILES, "hitters.py": replica.RIGHT_TEXT, "test_hitters.py": NOTHING}
    server.say(
        replica.SPECIFY,
        replica.action("workspace_edit", edits=[replica.new(path, text) for path, text in whole.items()]),
        replica.action("finish", summary="well"),
    )
    folder, end = replicate("basic")
    assert (end.state, end.why, end.exit_code) == ("unproven", "nothing shown", 4), end
    assert "no passed test calls" in replica.user(server.bodies[-1])
    assert "no passed test calls" in told(folder)


@pytest.mark.parametrize(("mended", "state"), [(replica.TESTS, "done"), (NOTHING, "unproven")])
def test_papercoder_has_tests_repaired_that_show_nothing(
    replicate: Replicate, server: ModelServer, mended: str, state: str
) -> None:
    def say(body: dict[str, Any]) -> dict[str, Any]:
        if replica.kind(body) == "Mended":
            return {"cause": "no test", "changes": [{"path": "test_hitters.py", "new": mended}]}
        said = replica.papercoder(body)
        source = {replica.BROKEN: replica.RIGHT_TEXT, replica.TESTS: NOTHING}
        return {**said, "text": source.get(said["text"], said["text"])} if "text" in said else said

    server.say(say)
    _, end = replicate("papercoder")
    assert end.state == state, end
    assert "no passed test calls" in replica.user(server.bodies[-1])
