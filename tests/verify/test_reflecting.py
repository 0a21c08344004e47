"""What goes looking for all that the interpreter holds, and what only looks like it."""

import pytest

from agents.code.verify.reflecting import reflecting, walks_frames


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
    assert reflecting(f"import sys\n\n{statement}\n", near=True) == f"3: {statement}"


@pytest.mark.parametrize(
    "statement",
    [
        "kinds = {kind.__name__: kind for kind in Kernel.__subclasses__()}",
        "here = sys.modules[__name__]",
        "there = 'numpy' in sys.modules",
        "module = sys.modules.get('kernels')",
        "reporter = config.pluginmanager.get_plugin('terminalreporter')",
        "model.modules()",
        "monkeypatch.delitem(sys.modules, 'numpy')",
        "with mock.patch.dict(sys.modules, {'numpy': None}): pass",
        "print('its __self__ is shown')",
        "def broken(:",
    ],
)
def test_what_names_what_it_wants_is_plain(statement: str) -> None:
    assert reflecting(f"import sys\n\n{statement}\n", near=True) == ""


@pytest.mark.parametrize("statement", ["function.__globals__.update(other.__globals__)", "bound = method.__self__"])
def test_what_libraries_hold_on_to_counts_where_tests_or_their_unit_stand(statement: str) -> None:
    assert reflecting(statement, near=True) == f"1: {statement}"
    assert reflecting(statement, near=False) == ""
    assert reflecting("for one in object.__subclasses__(): pass", near=False)


@pytest.mark.parametrize(
    "statement",
    [
        "same = {3, 1} <= set(toll.__code__.co_consts)",
        "bare = getattr(toll.__code__, 'co_code')",
        "while hasattr(inner, '__wrapped__'): inner = inner.__wrapped__",
        "bare = toll.__wrapped__.__wrapped__",
        "steps = list(dis.get_instructions(toll))",
    ],
)
def test_what_a_function_was_compiled_to_counts_where_tests_stand(statement: str) -> None:
    assert reflecting(statement, near=True, tests=True) == f"1: {statement}"
    assert reflecting(statement, near=True) == "", "a unit may be about functions"
    example = f'def f():\n    """It.\n\n    >>> {statement}\n    """\n'
    assert reflecting(example, near=True).startswith("4: >>> "), "an example is a test, wherever it stands"
    assert reflecting(example, near=False) == ""


@pytest.mark.parametrize(
    "statement",
    [
        "assert twice.__wrapped__ is plain",
        "assert hasattr(twice, '__wrapped__')",
        "inner = getattr(twice, '__wrapped__', twice)",
        "names = f.__code__.co_varnames[: f.__code__.co_argcount]",
        "while True: discard(one)",
    ],
)
def test_what_a_decorator_sets_is_plain(statement: str) -> None:
    assert reflecting(statement, near=True, tests=True) == ""


@pytest.mark.parametrize(
    ("text", "walks"),
    [
        ("f = sys._getframe(1); path = f.f_locals.get('__file__')", False),
        ("name = sys._getframe().f_code.co_name", False),
        ("name = inspect.currentframe().f_code.co_name", False),
        ("name = inspect.stack()[1].function", False),
        ("f = sys._getframe(); f = f.f_back", True),
        ("found = [sys._getframe(n).f_locals for n in range(40)]", True),
        ("found = sys._getframe(12).f_locals", True),
        ("found = inspect.stack()[9].frame.f_locals", True),
        ("f = sys._getframe(); f = getattr(f, 'f_' + 'back')", True),
    ],
)
def test_a_caller_is_asked_for_without_walking(text: str, walks: bool) -> None:
    assert walks_frames(text) == walks
