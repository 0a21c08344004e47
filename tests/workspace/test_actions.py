"""What a model asks for as an action can be kept as a step, or is told to be unreadable."""

import json

import pytest

from agents.loops.chat import UNREADABLE, called
from agents.loops.reply import Action

NAMES = frozenset({"workspace_edit"})


@pytest.mark.parametrize(
    "arguments",
    [
        '{"edits": [{"path": "a.py", "new": "\\ud800"}]}', '{"\\ud800": 1}', '{"x": NaN}', '{"x": 1e999}', "[1]", "{",
        '{"self": 1}', '{"config": {}}', '{"run_manager": null}',
    ],
)  # fmt: skip
def test_arguments_that_no_step_can_keep_are_unreadable(arguments: str) -> None:
    name, told = called(Action(thought="", tool="workspace_edit", arguments=arguments), NAMES)
    assert name == UNREADABLE
    assert json.dumps(told, ensure_ascii=False).encode()


def test_arguments_in_any_script_are_kept() -> None:
    action = Action(thought="", tool="workspace_edit", arguments='{"edits": [{"path": "a.py", "new": "# été 測試"}]}')
    assert called(action, NAMES) == ("workspace_edit", json.loads(action.arguments))
