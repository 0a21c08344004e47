"""What goes looking for all that the interpreter holds, and what only looks like it."""

import pytest

from agents.code.verify.reflecting import reflecting


@pytest.mark.parametrize(
    "statement",
    [
        "for kind in object.__subclasses__(): pass",
        "kinds = ().__class__.__base__.__subclasses__()",
        "found = getattr(object, '__subclasses__')()",
        "for module in sys.modules.values(): pass",
        "for name in sys.modules: pass",
        "from sys import modules",
        "records = sys.modules['xkg' + '_inside.records']",
        "plugins = request.config.pluginmanager.get_plugins()",
        "plugin = config.pluginmanager.get_plugin(name)",
        "module = area.__globals__",
        "owner = os._exit.__self__",
        "cell = wrapped.__closure__[0].cell_contents",
        "frame = frame.f_back",
    ],
)
def test_what_looks_for_all_that_there_is_is_told_with_its_line(statement: str) -> None:
    assert reflecting(f"import sys\n\n{statement}\n") == f"3: {statement}"


@pytest.mark.parametrize(
    "statement",
    [
        "kinds = {kind.__name__: kind for kind in Kernel.__subclasses__()}",
        "here = sys.modules[__name__]",
        "there = 'numpy' in sys.modules",
        "module = sys.modules.get('kernels')",
        "reporter = config.pluginmanager.get_plugin('terminalreporter')",
        "model.modules()",
        "print('its __self__ is shown')",
        "def broken(:",
    ],
)
def test_what_names_what_it_wants_is_plain(statement: str) -> None:
    assert reflecting(f"import sys\n\n{statement}\n") == ""
