"""What is hashed of a repository for a verdict, and what of it a change touches."""

from collections.abc import Callable
from pathlib import Path

import pytest

from agents.execution.harness import Inputs
from ingest.verification.asking import asks_for_names
from ingest.verification.basis import MOST, NAMES, BasisReader
from kg.verdicts.basis import differences, parse

FILES = {
    "pkg/__init__.py": "", "pkg/core.py": "def f(): pass\n", "pkg/more.py": "x = 1\n", "data/a.txt": "a",
    "tests/test_core.py": "def test_f(): pass\n", "README.md": "words\n", ".tox/x.py": "", "setup.cfg": "[x]\n",
}  # fmt: skip
READ = Inputs(frozenset({"pkg/core.py", "tests/test_core.py", "pkg/_version.py"}), frozenset({"", "pkg"}))

Change = Callable[[Path], object]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        write(path, text)(tmp_path)
    return tmp_path


def write(path: str, text: str = "new") -> Change:
    def change(folder: Path) -> None:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)

    return change


def changed_by(repo: Path, change: Change, inputs: Inputs | None = READ, *, tested: bool = True) -> str:
    before = BasisReader(repo).of(inputs, tested=tested)
    change(repo)
    return differences(before, BasisReader(repo).present(parse(before)))


def test_places(repo: Path) -> None:
    assert set(parse(BasisReader(repo).of(READ))) == {
        "read pkg/core.py", "read tests/test_core.py", "read pkg/_version.py", "listed ", "listed pkg", "listed tests",
        "links", "requirements", "name pkg/", "name tests/", "name setup.cfg", "name pkg/__init__.py",
        "name pkg/core.py", "name pkg/more.py", "name tests/test_core.py",
    }  # fmt: skip
    everything = {"everything"}
    assert set(parse(BasisReader(repo).of(None))) == everything
    assert set(parse(BasisReader(repo).of(Inputs(complete=False)))) == everything
    assert set(parse(BasisReader(repo).of(Inputs(frozenset(map(str, range(MOST))))))) == everything


def test_nothing_has_changed(repo: Path) -> None:
    for inputs in (READ, None):
        assert changed_by(repo, lambda _: None, inputs) == ""
        assert changed_by(repo, write(".tox/x.py"), inputs) == "", "no sandbox has it"


@pytest.mark.parametrize(
    "path",
    ["pkg/core.py", "pkg/_version.py", "pkg/added.json", "tests/conftest.py", "added.py", "pkg.so", "setup.cfg",
     "requirements-dev.txt", "added/deep/x.py", "pytest.ini", "tests/added/x.txt"],
)  # fmt: skip
def test_what_counts(repo: Path, path: str) -> None:
    assert changed_by(repo, write(path))


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("tests/conftest.py", "(tests/conftest.py) since in tests, where"),
        ("added.py", "(added.py) since in the top of its repository, where"),
        ("pkg/added.json", "(pkg/added.json) since in pkg, where"),
    ],
)
def test_what_has_come_and_gone_is_named(repo: Path, path: str, said: str) -> None:
    assert f"files have come {said}" in changed_by(repo, write(path))
    assert f"files have gone {said}" in changed_by(repo, lambda folder: (folder / path).unlink())


def test_of_too_many_names_none_is_kept(repo: Path) -> None:
    for number in range(NAMES):
        write(f"pkg/data{number}.txt")(repo)
    assert not [name for name in parse(BasisReader(repo).of(READ)) if name.startswith("name ")]
    assert changed_by(repo, write("pkg/more.txt")) == "files have come or gone since in pkg, where its run looked"


@pytest.mark.parametrize(
    "path", ["README.md", "pkg/more.py", "data/a.txt", "data/b.txt", "images/a.png", "CHANGES.txt"]
)
def test_what_does_not_count(repo: Path, path: str) -> None:
    assert changed_by(repo, write(path)) == ""
    (repo / path).unlink()
    assert changed_by(repo, write(path), None), "unless nobody knows what was read"


ASKING = [
    "os.path.exists(x)", "for p in f.glob('*'): pass", "Path(x).is_file()", "os.walk(x)", "os.access(x, os.R_OK)",
    "subprocess.run(['test', '-e', x])", "from subprocess import run", "os.system(f'test -e {x}')", "os.link(x, y)",
    "os.rename(x, x)", "os.utime(x)", "os.listxattr(x)", "os.mkdir(x)", "Path(x).mkdir(parents=True)", "os.chmod(x, 1)",
    "from os import (\n    path,\n    utime,\n)", "import os as o", "getattr(os, 'ut' + 'ime')(x)", "Path(x).rename(y)",
    "sqlite3.connect(f'file:{x}?mode=ro', uri=True)", "sqlite3.connect(x)", "os.open(x, os.O_CREAT | os.O_EXCL)",
    "open(x, 'a+').tell()", "try:\n    open(x)\nexcept FileNotFoundError:\n    pass",
    "with suppress(OSError):\n    open(x)",
    "try:\n    Path(x).read_text()\nexcept (ValueError, OSError):\n    pass", "shutil.which(x)", "ctypes.CDLL(None)",
]  # fmt: skip


@pytest.mark.parametrize("code", ASKING)
def test_code_that_asks_for_names_rests_on_all_names(repo: Path, code: str) -> None:
    write("pkg/core.py", code)(repo)
    assert changed_by(repo, write("data/a.txt", "b")) == ""
    assert "where its run may have looked for some" in changed_by(repo, write("data/b.txt"))


@pytest.mark.parametrize("code", ["os.path.getsize(x)", "Path(x).stat().st_size", "os.stat(x)[6]", "getmtime(x)"])
def test_code_that_asks_for_more_rests_on_all_files(repo: Path, code: str) -> None:
    write("pkg/core.py", code)(repo)
    assert changed_by(repo, write("data/a.txt", "b"))


NOT_ASKING = [
    "from scipy import stats", "stat, p = test(x)", "exit()", "random_walk()", "import subprocess, sqlite3, shutil, os",
    "os.makedirs(x, exist_ok=True)", "df.rename(columns=names)", "text.replace(x, y)", "with open(x) as file: pass",
    "try:\n    f(x)\nexcept Exception:\n    pass", "sqlite3.connect(':memory:')", "with open(x, 'wb') as out: pass",
    "def access(link): return link.remove(system)", "os.environ, os.path.join(x), os.getcwd(), os.linesep",
    "try:\n    open(x)\nexcept ValueError:\n    pass", "except_for = open(x)",
]  # fmt: skip


@pytest.mark.parametrize("code", NOT_ASKING)
def test_code_that_asks_for_nothing(repo: Path, code: str) -> None:
    write("pkg/core.py", code)(repo)
    assert changed_by(repo, write("data/b.txt")) == ""


@pytest.mark.parametrize("piece", ["open(", "from os import(x,", "except x", "Path(", "mkdir(", "suppress(", "os ."])
def test_no_text_takes_long_to_ask(piece: str) -> None:
    assert not asks_for_names(f"open(x) except_for {piece * 50_000}".encode()) or piece == "mkdir("


def executable(path: str, mode: int = 0o755) -> Change:
    return lambda folder: (folder / path).chmod(mode)


def test_whether_a_file_is_executable_counts_where_it_was_read_or_asked_for(repo: Path) -> None:
    read = "pkg/core.py, which its run read, has changed since"
    assert changed_by(repo, executable("pkg/core.py")) == read
    assert changed_by(repo, executable("pkg/core.py", 0o644)) == read
    assert changed_by(repo, executable("data/a.txt")) == ""
    assert changed_by(repo, executable("data/a.txt", 0o644), None), "nobody knows what was read"
    write("pkg/core.py", "os.path.exists(x)")(repo)
    assert changed_by(repo, executable("data/a.txt")) == ""
    assert changed_by(repo, executable("data/a.txt", 0o644)) == ""
    write("pkg/core.py", "os.access(x, os.X_OK)")(repo)
    assert changed_by(repo, executable("data/a.txt", 0o640)) == ""
    assert "have become executable since or are no longer" in changed_by(repo, executable("data/a.txt"))


def test_where_no_test_of_the_repository_speaks_any_may_come(repo: Path) -> None:
    says = "code of its repository has changed since, where there may be tests of it now"
    assert changed_by(repo, write("pkg/more.py"), tested=False) == says
    assert changed_by(repo, write("README.md", "assert"), tested=False) == says
    assert changed_by(repo, write("data/a.txt", "b"), tested=False) == ""


def test_large_files_count_whole(repo: Path) -> None:
    write("data/a.txt", "a" * 3_000_000)(repo)
    inputs = Inputs(frozenset({"data/a.txt"}))
    assert changed_by(repo, write("data/a.txt", "a" * 2_999_999 + "b"), inputs) == (
        "data/a.txt, which its run read, has changed since"
    )


def test_a_link_is_never_followed(repo: Path, tmp_path: Path) -> None:
    outside = tmp_path.parent / "outside.txt"
    outside.write_text("1")
    (repo / "data/link.txt").symlink_to(outside)
    inputs = Inputs(frozenset({"data/link.txt"}))
    assert changed_by(repo, lambda _: outside.write_text("2"), inputs) == ""


def link(path: str, target: str) -> Change:
    """A link in place of whatever file or link is there."""

    def change(folder: Path) -> None:
        (folder / path).unlink(missing_ok=True)
        (folder / path).symlink_to(target)

    return change


def then(*changes: Change) -> Change:
    return lambda folder: [change(folder) for change in changes]


def remove(path: str) -> Change:
    return lambda folder: (folder / path).unlink()


LINKS = {
    "to another file": (link("links/file", "../README.md"), "links/file"),
    "to another folder": (link("links/folder", "../pkg"), "links/folder"),
    "now a file": (then(remove("links/file"), write("links/file", "a")), "links/file"),
    "now a folder": (then(remove("links/folder"), write("links/folder/a.txt", "a")), "links/folder"),
    "in place of a file": (link("links/b.txt", "file"), "links/b.txt"),
    "nowhere else": (link("links/nothing", "release-8"), "links/nothing"),
    "to something now": (write("links/release-7", "7"), "links/nothing"),
    "outside now": (link("links/file", "/etc/passwd"), "links/file"),
    "gone": (remove("links/file"), "links/file"),
    "new": (link("links/new", "b.txt"), "links/new"),
}


@pytest.mark.parametrize("what", LINKS)
def test_a_link_counts_whatever_was_opened_and_is_named(repo: Path, what: str) -> None:
    write("links/b.txt", "b")(repo)
    for path, target in {"file": "../data/a.txt", "folder": "../data", "nothing": "release-7"}.items():
        link(f"links/{path}", target)(repo)
    assert changed_by(repo, then(write("README.md"), write("links/c.txt"))) == ""
    change, path = LINKS[what]
    assert changed_by(repo, change) == f"{path}, a link that its run may have followed, has changed since"


def test_links_of_a_chain_and_many_links(repo: Path) -> None:
    link("data/last", "a.txt")(repo)
    link("data/first", "last")(repo)
    says = "data/first and data/last, links that its run may have followed, have changed since"
    assert changed_by(repo, link("data/last", "../README.md")) == says
    for number in range(MOST):
        link(f"data/{number}", "a.txt")(repo)
    assert len([name for name in parse(BasisReader(repo).of(READ)) if not name.startswith("name ")]) < 10
    says = "links of its repository, which its run may have followed, have changed since"
    assert changed_by(repo, link("data/7", "../README.md")) == says
