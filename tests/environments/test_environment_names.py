"""Which distribution provides an import: by the table, and by nothing else."""

import re
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from agents.execution.environments import Environment, absence, distributions
from agents.execution.environments.names import table


@pytest.mark.parametrize(
    ("name", "requirement"),
    [
        ("cv2", "opencv-python-headless"),
        ("skimage.feature", "scikit-image"),
        ("sklearn", "scikit-learn"),
        ("PIL.Image", "pillow"),
        ("yaml", "pyyaml"),
        ("faiss", "faiss-cpu"),
        ("umap", "umap-learn"),
        ("Bio.Seq", "biopython"),
        ("dateutil", "python-dateutil"),
        ("attr", "attrs"),
        ("haiku", "dm-haiku"),
        ("mpl_toolkits.mplot3d", "matplotlib"),
        ("google.protobuf.text_format", "protobuf"),
        ("pytorch_lightning", "pytorch-lightning"),
        ("torch_geometric", "torch-geometric"),
        ("numpy.linalg", "numpy"),
    ],
)
def test_names_that_differ(name: str, requirement: str) -> None:
    assert distributions([name]).found == {name: requirement}


def test_the_standard_library_of_any_python_is_nobodys_distribution() -> None:
    names = ["os", "os.path", "tomllib", "imp", "distutils.core", "asyncore", "cPickle", "urllib2", "__future__"]
    mapped = distributions(names)
    assert mapped.found == {}
    assert mapped.unmapped == ()


@pytest.mark.parametrize(
    "name", ["torch_helper_utils", "google", "", ".", "a b", "os_utils", "numpy_", "../numpy", "İ"]
)
def test_an_unknown_name_is_reported_and_never_guessed(name: str) -> None:
    mapped = distributions([name])
    assert mapped.found == {}
    assert mapped.unmapped == (name,)


def test_the_table_is_sound() -> None:
    data = table()
    lines = [*data["same"], *data["renamed"].values(), *data["instead"].values(), *data["mistaken"].values()]
    lines += [row["requirement"] for row in data["successors"].values()]
    assert all(Requirement(line).url is None for line in lines)
    assert len(data["same"]) == len({name.lower() for name in data["same"]})
    assert not set(data["same"]) & set(data["renamed"])
    assert all(re.fullmatch(r"[\w.]+", name) for name in data["same"])
    assert all(canonicalize_name(name) == name for name in (*data["numeric"]["names"], *data["tools"]))
    assert len(data["same"]) + len(data["renamed"]) > 300


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ("No module named 'signatory'", "it has no wheel"),
        (
            "No module named 'a_module_that_nobody_has'",
            "no distribution is known that provides a_module_that_nobody_has",
        ),
        ("No module named 'numpy'", ""),
        ("division by zero", ""),
    ],
)
def test_a_missing_module_is_explained_where_that_is_known(message: str, why: str) -> None:
    built = Environment.model_construct(dropped=("Signatory>=1.2: it has no wheel", "needy: it needs another Python"))
    assert absence(built, message) == why


def test_a_module_that_the_repository_compiles_is_not_looked_for_in_the_index(tmp_path: Path) -> None:
    (tmp_path / "src/fast").mkdir(parents=True)
    (tmp_path / "src/fast/solver.cpp").touch()
    (tmp_path / "src/fast/terms.py").touch()
    built = Environment.model_construct(dropped=("fast: because all versions of fast have no usable wheels",))
    told = absence(built, "No module named 'fast.solver'", tmp_path)
    assert (
        told == "it is the repository's own, to be compiled from src/fast/solver.cpp; extensions are not compiled here"
    )
    assert not absence(built, "No module named 'fast.terms'", tmp_path).startswith("it is the repository's own")
