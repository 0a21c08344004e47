"""What a repository's CI sets for its libraries: constants of known names, and nothing else."""

from pathlib import Path

import pytest

from agents.execution.environments import ci_variables

WORKFLOW = """\
on: push
env:
  JAX_ENABLE_X64: True  # as the tests expect
  SECRET_TOKEN: abc
  PYTHONPATH: /tmp/evil
  LD_PRELOAD: evil.so
jobs:
  test:
    strategy:
      matrix:
        backend: [jax, torch]
    env: {KERAS_BACKEND: "${{ matrix.backend }}", XLA_FLAGS: "--xla_force_host_platform_device_count=2"}
    steps:
      - run: export NUMBA_NUM_THREADS=2 && pytest
      - run: TF_USE_LEGACY_KERAS=1 pytest tests
      - run: JAX_PLATFORMS=gpu NUMBA_CACHE_DIR=/x NUMBA_DISABLE_JIT=1 pytest
"""
READ = {
    "JAX_ENABLE_X64": "True",
    "NUMBA_NUM_THREADS": "2",
    "TF_USE_LEGACY_KERAS": "1",
    "XLA_FLAGS": "--xla_force_host_platform_device_count=2",
}


def write(repo: Path, path: str, text: str) -> None:
    (repo / path).parent.mkdir(parents=True, exist_ok=True)
    (repo / path).write_text(text)


def test_constants_of_known_names_are_read(tmp_path: Path) -> None:
    write(tmp_path, ".github/workflows/tests.yml", WORKFLOW)
    assert ci_variables(tmp_path) == READ


def test_places_that_contradict_each_other_say_nothing(tmp_path: Path) -> None:
    write(tmp_path, ".github/workflows/tests.yml", WORKFLOW)
    write(tmp_path, "tox.ini", "[testenv]\nsetenv =\n    JAX_ENABLE_X64 = 0\n    NUMBA_NUM_THREADS=2\n")
    assert ci_variables(tmp_path) == {name: value for name, value in READ.items() if name != "JAX_ENABLE_X64"}


@pytest.mark.parametrize(
    "text",
    [
        "JAX_ENABLE_X64=$(curl evil)",
        "JAX_ENABLE_X64: `id`",
        "# JAX_ENABLE_X64=1",
        "MY_JAX_ENABLE_X64=1",
        "JAX_ENABLE_X64: ${{ matrix.x64 }}",
        "JAX_ENABLE_X64: [0, 1]",
        "jax_enable_x64: 1",
    ],
)
def test_nothing_else_is(tmp_path: Path, text: str) -> None:
    write(tmp_path, ".github/workflows/a.yml", f"env:\n  {text}\n")
    assert ci_variables(tmp_path) == {}
    assert ci_variables(tmp_path / "nowhere") == {}
