"""A default that documentation states is held against the signature's, and what may mean another thing is not."""

from pathlib import Path

import pytest

from agents.code.units import read_units
from agents.code.verify.defaults import other_default


def found(folder: Path, docstring: str, parameters: str) -> str:
    (folder / "m.py").write_text(f'def f({parameters}):\n    """{docstring}"""\n    return gain\n')
    return other_default(next(unit for unit in read_units(folder).units if unit.kind == "function"))


@pytest.mark.parametrize(
    ("docstring", "parameters"),
    [
        ("Times gain. The default gain is 1.0.", "xs, gain=2.0"),
        ("Times gain. The default of `gain` is 1e-3.", "xs, gain=0.01"),
        ("Times gain. By gain (default 3).", "xs, gain=2"),
        ("Times gain, which is clear; gain defaults to 3.", "xs, gain=2"),
        ("Times gain.\n\n    gain: the share that is kept, 0.01 by default.\n    ", "xs, gain=0.1"),
        ("Times gain.\n\n    Args:\n        xs: numbers\n        gain: a number (default 3)\n    ", "xs, gain=2"),
        ("Times gain.\n\n    Args:\n        gain (float): a number. Defaults to 3.\n    ", "xs, gain=2"),
        ("Times gain.\n\n    Parameters\n    ----------\n    gain : float, default 3\n        It.\n    ", "xs, gain=2"),
        ("Times gain.\n\n    Args:\n        gain: a number,\n            default: 3\n    ", "xs, gain=2"),
        ("Times gain.\n\n    :param gain: a number, default=3\n    ", "xs, *, gain=2"),
        ("Times gain.\n\n    Args:\n        gain: whether it is so. Defaults to True.\n    ", "xs, gain=False"),
        ("Times gain.\n\n    Args:\n        gain: how. Defaults to 'mean'.\n    ", "xs, gain='sum'"),
    ],
)
def test_another_default_than_is_stated(tmp_path: Path, docstring: str, parameters: str) -> None:
    assert "its signature has gain=" in found(tmp_path, docstring, parameters)


@pytest.mark.parametrize(
    ("docstring", "parameters"),
    [
        ("Times gain. The default gain is 2.", "xs, gain=2.0"),
        ("Times gain. The default gain is 0.01.", "xs, gain=1e-2"),
        ("Times gain. The default gain is 1.0.", "xs, gain=None"),
        ("Times gain. The default gain is 1.0.", "xs, gain=GAIN"),
        ("Times gain. The default gain is 1.0.", "xs, gain"),
        ("Times gain. The default level is 1.0.", "xs, gain=2.0"),
        ("Times gain. The default gain is 1.0 / 3.", "xs, gain=2.0"),
        ("Times gain. The default gain is 10 ms.", "xs, gain=0.01"),
        ("Times gain. The default gain is 50%.", "xs, gain=0.5"),
        ("Times gain. The default gain was 1.0 in earlier versions.", "xs, gain=2.0"),
        ("Times gain. The default gain is 1.0 if xs is empty.", "xs, gain=2.0"),
        ("Times gain. The default gain is not 1.0.", "xs, gain=2.0"),
        ("Times gain. The default gain is 1,000.", "xs, gain=1000"),
        ("Times gain. Unlike g, whose gain defaults to 3.", "xs, gain=2"),
        ("Times gain.\n\n    Args:\n        gain: a number; the default of numpy is 3.\n    ", "xs, gain=2"),
        ("Times gain.\n\n    Args:\n        gain: 3 of these. Defaults to 2.\n    ", "xs, gain=2"),
        ("Times gain.\n\n    Args:\n        gain: default 3, or 2 for short ones\n    ", "xs, gain=2"),
        ("Times gain.\n\n    Args:\n        level: Defaults to 3.\n        gain: it\n    ", "xs, gain=2, level=3"),
        ("Times gain.\n\n    Args:\n        gain: 'bandpass' by default\n    ", "xs, gain='band'"),
        ("Times gain.\n\n    Args:\n        gain: defaults to 1\n    ", "xs, gain=True"),
        ("Times gain. There are 3 by default.", "xs, gain=2"),
    ],
)
def test_the_same_default_or_what_is_no_plain_statement(tmp_path: Path, docstring: str, parameters: str) -> None:
    assert not found(tmp_path, docstring, parameters)
