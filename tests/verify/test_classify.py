"""Failures are named by their cause, with the line of the code's own file."""

import pytest

from agents.code.mutants import Failure, Raised, classify, raised_from
from agents.code.verify.preparing import Import, Prepared

TEXT = """\
some output
Traceback (most recent call last):
  File "/work/repo/run.py", line 9, in <module>
    main()
  File "/work/repo/pkg/net.py", line 4, in main
    load()
  File "/opt/env/torch/serialization.py", line 99, in load
    raise
{last}
"""


def own(file: str) -> str | None:
    return file.removeprefix("/work/repo/") if file.startswith("/work/repo/") else None


@pytest.mark.parametrize(
    ("last", "kind"),
    [
        ("ModuleNotFoundError: No module named 'signatory'", "missing module"),
        ("ModuleNotFoundError: No module named 'torch.cuda.extra'", "missing module"),
        (
            "ImportError: cannot import name 'Int64Index' from 'pandas' (/opt/env/pandas/__init__.py)",
            "version conflict",
        ),
        ("AttributeError: module 'numpy' has no attribute 'float'", "version conflict"),
        ("TypeError: read() got an unexpected keyword argument 'squeeze'", "version conflict"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'data/x.csv'", "missing data or weights"),
        ("OSError: Can't load tokenizer for 'bert'", "missing data or weights"),
        ("OSError: We couldn't connect to 'https://huggingface.co' to load this file", "network needed"),
        ("urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>", "network needed"),
        ("requests.exceptions.ConnectionError: HTTPSConnectionPool(host='x', port=443)", "network needed"),
        ("RuntimeError: Found no NVIDIA driver on your system.", "GPU needed"),
        ("AssertionError: Torch not compiled with CUDA enabled", "GPU needed"),
        ("torch.cuda.OutOfMemoryError: CUDA out of memory", "GPU needed"),
        ("MemoryError", "memory"),
        ("numpy.core._exceptions._ArrayMemoryError: Unable to allocate 3 TiB", "memory"),
        ("AssertionError: 1 != 2", "assertion"),
        ("NameError: name 'xrange' is not defined", "version conflict"),
        ("ValueError: bad", "other error"),
        ("KeyError: 'alpha'", "other error"),
    ],
)
def test_the_last_line_names_the_class(last: str, kind: str) -> None:
    failure = classify(raised_from(TEXT.format(last=last)), locate=own)
    assert (failure.kind, failure.line) == (kind, "pkg/net.py:4")


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (classify(), "it ended without a word"),
        (classify(stderr=" \n\n"), "it ended without a word"),
        (classify(Raised(("AssertionError",), " \n")), "AssertionError"),
        (classify(Raised(("",), "")), "an exception without a name"),
        (classify(Raised((" ",), "gone")), "an exception without a name: gone"),
    ],
)
def test_a_failure_that_says_nothing_is_put_in_words(failure: Failure, said: str) -> None:
    assert failure.message == said


def test_a_syntax_error_has_the_line_of_the_file() -> None:
    text = '  File "/work/repo/old.py", line 7\n    print x\n          ^\nSyntaxError: invalid syntax\n'
    failure = classify(stderr=text, locate=own)
    assert (failure.kind, failure.line) == ("syntax", "old.py:7")


@pytest.mark.parametrize(
    ("limit", "kind"), [("wall", "timeout"), ("cpu", "timeout"), ("memory", "memory"), ("disk", "other error")]
)
def test_a_limit_decides(limit: str, kind: str) -> None:
    assert classify(limit=limit, stderr=TEXT.format(last="ValueError: x")).kind == kind


def test_no_traceback_gives_the_last_line() -> None:
    assert classify(stderr="started\nSegmentation fault\n").message == "Segmentation fault"
    assert classify(stderr="").kind == "other error"


def test_a_record_counts_its_bases() -> None:
    assert classify(Raised(("OfflineError", "ConnectionError", "OSError"), "no")).kind == "network needed"
    assert classify(Raised(("TabError", "IndentationError", "SyntaxError"), "x")).kind == "syntax"


@pytest.mark.parametrize(
    ("last", "served"),
    [
        ("AttributeError: module 'pandas' has no attribute 'Int64Index'", False),
        ("ModuleNotFoundError: No module named 'settings'", True),
    ],
    ids=["a library of another version", "a script beside others"],
)
def test_what_imports_by_its_path_alone_is_served_unless_a_library_is_of_another_version(
    last: str, served: bool
) -> None:
    """The module itself may load, and its package not, so that no test of it can be run."""
    raised = raised_from(TEXT.format(last=last))
    assert Prepared(imports={"a.py": Import("a.py", way="path", raised=raised)}).served is served
    assert Prepared(imports={"a.py": Import("a.py", way="name", raised=None)}).served
