"""Environments from wheels: built once, whole or not at all, and nothing of them executed."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from environment_index import HERE, Index, wish

from agents.execution.environments import EnvironmentFailed, build_environment, mounts, uv, variables
from agents.execution.environments.build import folder_of
from kg.config import Settings
from kg.errors import ServiceError

CHILD = """
import sys
from pathlib import Path
from agents.execution.environments import build_environment
from environment_index import wish
from kg.config import load_settings
settings = load_settings().replace(cache=Path(sys.argv[1]), execution__torch_index=False)
print(build_environment(wish(*sys.argv[2:]), settings).id)
"""


def child(settings: Settings, *requirements: str) -> subprocess.Popen[str]:
    """Another xkg that builds the same."""
    path = os.pathsep.join([str(Path(__file__).parent), str(Path(__file__).parents[2])])
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, str(settings.cache), *requirements],
        env=os.environ | {"PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def whole(settings: Settings) -> list[str]:
    """Names of what the cache holds for good."""
    root = folder_of(settings)
    return sorted(path.parent.name for path in root.glob("*/complete")) if root.is_dir() else []


def test_an_environment_holds_what_was_asked_and_its_needs(index: Index, settings: Settings) -> None:
    index.wheel("alpha", "1.0")
    index.wheel("alpha", "2.0", requires=("beta>=1",))
    index.wheel("beta", "1.5")
    built = build_environment(wish("alpha"), settings)
    assert built.packages == {"alpha": "2.0", "beta": "1.5"}
    assert (built.site / "beta" / "__init__.py").is_file()
    assert built.python_version.startswith(HERE)
    assert built.dropped == built.loosened == ()
    assert 0 < built.size < 20_000
    assert mounts(built) == {"/opt/env": built.site}
    assert variables(built) == {"PYTHONPATH": "/opt/env"}


def test_the_same_spec_gives_the_same_environment_though_the_index_moves_on(index: Index, settings: Settings) -> None:
    index.wheel("alpha", "1.0")
    first = build_environment(wish("alpha"), settings)
    index.wheel("alpha", "2.0")
    assert build_environment(wish("alpha"), settings) == first
    assert build_environment(wish("alpha", strategy="repository pins"), settings).id == first.id


def test_what_is_needed_has_its_locked_version_if_that_goes(index: Index, settings: Settings) -> None:
    index.wheel("alpha", "1.0", requires=("beta>=1",))
    index.wheel("beta", "1.0")
    index.wheel("beta", "2.0")
    spec = wish("alpha")
    for locked, version in {"beta==1.0": "1.0", "beta==7.0": "2.0"}.items():
        environment = build_environment(spec.model_copy(update={"locked": (locked, "unused==1.0")}), settings)
        assert environment.packages == {"alpha": "1.0", "beta": version}


def test_another_version_is_another_environment(index: Index, settings: Settings) -> None:
    index.wheel("alpha", "1.0")
    index.wheel("alpha", "2.0")
    assert build_environment(wish("alpha<2"), settings).id != build_environment(wish("alpha"), settings).id


def test_the_same_name_and_version_with_other_content_is_another_environment(index: Index, settings: Settings) -> None:
    index.wheel("alpha", "1.0")
    first = build_environment(wish("alpha"), settings)
    index.wheel("alpha", "1.0", {"alpha/__init__.py": "changed = True\n"})
    other = settings.replace(cache=settings.cache.with_name("other"))
    assert build_environment(wish("alpha"), other).id != first.id


def test_modules_are_compiled_and_nothing_is_imported(index: Index, settings: Settings, tmp_path: Path) -> None:
    trace = tmp_path / "ran"
    code = f"open({str(trace)!r}, 'w').close()\ndef f():\n    raise ValueError\n"
    files = {
        "alpha/__init__.py": code,
        "alpha/broken.py": "def (",
        "alpha/deep.py": f"x = {'(' * 5000}{')' * 5000}",
        "zz.pth": f"import sys; {code.splitlines()[0]}\n",
    }
    index.wheel("alpha", "1.0", files)
    built = build_environment(wish("alpha"), settings)
    (compiled,) = (built.site / "alpha" / "__pycache__").glob("*.pyc")
    assert compiled.name.startswith("__init__.")
    assert compiled.read_bytes()[4:8] == b"\x01\0\0\0", "it is trusted without a look at the file"
    assert not trace.exists()


def test_a_source_distribution_is_refused_and_never_run(index: Index, settings: Settings, tmp_path: Path) -> None:
    index.sdist("gamma", "1.0", tmp_path / "ran")
    with pytest.raises(EnvironmentFailed, match="none of 1 requirements"):
        build_environment(wish("gamma"), settings)
    assert not (tmp_path / "ran").exists()
    assert whole(settings) == []


def test_a_source_distribution_is_passed_over_for_an_older_wheel(
    index: Index, settings: Settings, tmp_path: Path
) -> None:
    index.sdist("gamma", "2.0", tmp_path / "ran")
    index.wheel("gamma", "1.0")
    assert build_environment(wish("gamma"), settings).packages == {"gamma": "1.0"}


def test_what_can_not_be_had_is_dropped_and_named_and_the_rest_is_built(index: Index, settings: Settings) -> None:
    for name in ("alpha", "beta", "delta", "epsilon"):
        index.wheel(name)
    index.wheel("needy", requires=("nowhere",))
    built = build_environment(wish("alpha", "beta", "missing", "delta==9", "epsilon", "needy"), settings)
    assert set(built.packages) == {"alpha", "beta", "delta", "epsilon"}
    assert [line.partition(":")[0] for line in built.dropped] == ["missing", "needy"]
    assert [line.partition(",")[0] for line in built.loosened] == ["delta==9"]
    assert all(len(line) < 400 and "\n" not in line for line in (*built.dropped, *built.loosened))


def test_of_two_that_contradict_each_other_the_numeric_one_stays(index: Index, settings: Settings) -> None:
    index.wheel("numpy", "1.0")
    index.wheel("numpy", "2.0")
    index.wheel("aaa", requires=("numpy<2",))
    built = build_environment(wish("aaa", "numpy==2.0"), settings)
    assert built.packages == {"numpy": "2.0"}
    assert built.dropped[0].startswith("aaa:")


@pytest.mark.parametrize("member", ["../escaped.py", "../../escaped.py", "a/../../../escaped.py", "/xkg-escaped.py"])
def test_a_path_out_of_the_wheel_goes_nowhere(index: Index, settings: Settings, tmp_path: Path, member: str) -> None:
    index.wheel("evil", "1.0", {"evil/__init__.py": "", member: "x"})
    try:
        built = build_environment(wish("evil"), settings)
    except EnvironmentFailed:
        assert whole(settings) == []
    else:
        assert [p for p in built.site.rglob("*") if not p.resolve().is_relative_to(built.site.resolve())] == []
    inside = [p for p in tmp_path.rglob("*escaped*") if "uv" not in p.relative_to(tmp_path).parts]
    assert [p for p in inside if "site" not in p.parts] == []
    assert not Path("/xkg-escaped.py").exists()


def test_a_wheel_of_a_few_kilobytes_that_unpacks_to_gigabytes_is_refused(index: Index, settings: Settings) -> None:
    small = settings.replace(execution__environment_limit_mb=1)
    index.wheel("bomb", "1.0", {"bomb/zeros.bin": bytes(3_000_000)})
    assert (index.folder / "bomb-1.0-py3-none-any.whl").stat().st_size < 10_000
    with pytest.raises(EnvironmentFailed, match="more than"):
        build_environment(wish("bomb"), small)
    index.wheel("swarm", "1.0", {f"swarm/{n}.bin": bytes(900_000) for n in range(5)})
    with pytest.raises(EnvironmentFailed, match="more than the 3 MB"):
        build_environment(wish("swarm"), small)
    assert whole(settings) == []


def test_wheels_that_are_too_large_are_not_even_fetched(index: Index, settings: Settings) -> None:
    index.wheel("large", "1.0", {"large/noise.bin": os.urandom(2_000_000)})
    with pytest.raises(EnvironmentFailed, match="2 MB, more than the 1 MB"):
        build_environment(wish("large"), settings.replace(execution__environment_limit_mb=1))


def test_a_wheel_can_not_pretend_to_be_a_whole_environment(index: Index, settings: Settings) -> None:
    index.wheel("evil", "1.0", {"evil.py": "", "complete": "7", ".complete": "7"})
    built = build_environment(wish("evil"), settings)
    assert built.size > 7
    assert (built.site / "complete").read_text() == "7"


def test_there_is_no_such_python(index: Index, settings: Settings) -> None:
    with pytest.raises(EnvironmentFailed, match=r"no Python 3\.99"):
        build_environment(wish("alpha", python="3.99"), settings)


def test_nothing_asked_is_an_empty_environment(index: Index, settings: Settings) -> None:
    built = build_environment(wish(), settings)
    assert built.packages == {}
    assert built.size == 0


def test_without_an_index_the_sentence_says_so(
    index: Index, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("UV_NO_INDEX")
    monkeypatch.setenv("UV_DEFAULT_INDEX", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    with pytest.raises(ServiceError, match="no package index can be reached"):
        build_environment(wish("alpha"), settings)


def test_builders_at_the_same_time_make_one_environment(index: Index, settings: Settings) -> None:
    index.wheel("alpha", "1.0", {f"alpha/m{n}.py": "x = 1\n" for n in range(200)})
    with ThreadPoolExecutor(3) as pool:
        told = list(pool.map(lambda process: process.communicate()[0], [child(settings, "alpha") for _ in range(3)]))
    assert len(set(told)) == 1
    assert whole(settings) == [told[0].strip()]
    assert [path.name for path in folder_of(settings).glob(".*")] == []


@pytest.mark.parametrize("delay", [0.4, 0.7, 1.0, 1.3])
def test_a_builder_that_is_killed_leaves_no_half_environment(index: Index, settings: Settings, delay: float) -> None:
    index.wheel("alpha", "1.0", {f"alpha/m{n}.py": f"x = {n}\n" * 50 for n in range(400)})
    process = child(settings, "alpha")
    time.sleep(delay)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    for name in whole(settings):
        assert len(list((folder_of(settings) / name / "site" / "alpha").glob("*.py"))) == 400
    built = build_environment(wish("alpha"), settings)
    assert len(list((built.site / "alpha").glob("m*.py"))) == 400
    assert len(list((built.site / "alpha" / "__pycache__").glob("*.pyc"))) == 400
    assert whole(settings) == [built.id]


@pytest.mark.parametrize(
    ("output", "wanted"),
    [
        ("× No solution:\n ╰─▶ Because gamma==1.0.1 has no usable wheels and you require it", ("gamma==1.0.1",)),
        ("Because all versions of gamma-ray have no usable wheels and you require gamma-ray", ("gamma-ray",)),
        (
            "Because gamma>=1,<=2 has no\n      usable wheels and all versions of delta have no usable wheels",
            ("gamma>=1,<=2", "delta"),
        ),
        ("Because there are no versions of gamma and you require gamma", ()),
    ],
)  # fmt: skip
def test_what_has_no_wheel_is_read_off_the_reason(output: str, wanted: tuple[str, ...]) -> None:
    failed = uv._failure(f"No solution found {output}")
    assert isinstance(failed, uv.Unresolvable)
    assert failed.without_wheels == wanted
