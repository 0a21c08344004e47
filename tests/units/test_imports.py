"""Which file an import means."""

import pytest

from agents.code.units.imports import ImportResolver
from agents.execution.environments import is_known

FILES = (
    "setup.py", "src/pkg/__init__.py", "src/pkg/core.py", "src/pkg/sub/__init__.py", "src/pkg/sub/deep.py",
    "src/pkg/json.py", "tools/helpers.py", "tools/run.py", "lib/models/net.py", "other/helpers.py",
    "experiments/train.py", "numpy/core.py", "notes.ipynb",
)  # fmt: skip


@pytest.mark.parametrize(
    ("file", "imported", "place"),
    [
        ("setup.py", "pkg.core", "src/pkg/core.py"),
        ("setup.py", "pkg.core.name", "src/pkg/core.py"),
        ("experiments/train.py", "pkg.sub", "src/pkg/sub/__init__.py"),
        ("notes.ipynb", "pkg.sub.deep.f", "src/pkg/sub/deep.py"),
        ("src/pkg/core.py", ".sub.deep", "src/pkg/sub/deep.py"),
        ("src/pkg/sub/deep.py", "..core.name", "src/pkg/core.py"),
        ("src/pkg/sub/deep.py", "..", "src/pkg/__init__.py"),
        ("src/pkg/sub/deep.py", "......core", None),
        ("tools/run.py", "helpers", "tools/helpers.py"),
        ("other/helpers.py", "helpers", "tools/helpers.py"),
        ("experiments/train.py", "models.net.Net", "lib/models/net.py"),
        ("experiments/train.py", "models", "lib/models/"),
        ("src/pkg/core.py", "json", None),
        ("experiments/train.py", "numpy", None),
        ("experiments/train.py", "nowhere.at_all", None),
    ],
)
def test_a_python_import_means_what_python_would_find_or_the_nearest(file: str, imported: str, place: str) -> None:
    assert ImportResolver(FILES, is_known).module(file, imported) == place


def test_of_several_modules_the_one_that_offers_what_is_asked_is_meant() -> None:
    resolver = ImportResolver(FILES, is_known)

    def offers(place: str, name: str) -> bool:
        return place == "other/helpers.py"

    assert resolver.absolute("experiments/train.py", "helpers", ["f"], offers) == "other/helpers.py"
    assert resolver.absolute("experiments/train.py", "numpy", ["core"], offers) is None


def test_a_failing_import_is_placed_where_its_first_part_is() -> None:
    resolver = ImportResolver(FILES)
    assert resolver.within("setup.py", "pkg.gone") == "src/pkg/__init__.py"
    assert resolver.within("setup.py", "gone") is None


def test_a_folder_means_its_files_and_no_file_means_itself() -> None:
    resolver = ImportResolver(FILES)
    assert resolver.targets("experiments/train.py", "models") == {"lib/models/net.py"}
    assert resolver.targets("src/pkg/__init__.py", "pkg") == set()
    assert resolver.targets("tools/run.py", ".") == {"tools/helpers.py"}


def test_a_root_holds_the_first_part_of_a_name() -> None:
    resolver = ImportResolver(FILES)
    assert resolver.root_of("src/pkg/sub/__init__.py", "pkg.sub") == "src/"
    assert resolver.root_of("tools/run.py", "run") == "tools/"
    assert list(resolver.packages("src/pkg/sub/deep.py")) == ["src/pkg/sub/__init__.py", "src/pkg/__init__.py"]


def test_other_languages_are_told_by_path_endings() -> None:
    resolver = ImportResolver(("a/x.c", "a/y.h", "b/y.h", "mod/deep/z.go", "src/org/q/Q.java", "web/index.ts"))
    assert resolver.targets("a/x.c", "a/y.h") == {"a/y.h"}
    assert resolver.targets("a/x.c", "../b/y.h") == {"b/y.h"}
    assert resolver.targets("m.go", "host/owner/mod/deep") == {"mod/deep/z.go"}
    assert resolver.targets("A.java", "org.q.Q") == {"src/org/q/Q.java"}
    assert resolver.targets("m.ts", "./web") == {"web/index.ts"}
    assert resolver.neighbours("a/x.c") == {"a/y.h"}
