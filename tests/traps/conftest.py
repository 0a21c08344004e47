"""Each module of tests judges the repositories of its `FILES`; a soak judges those, too, that are much like others."""

import pytest
from trap_repositories import repositories


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each repository."""
    if files := getattr(metafunc.module, "FILES", ()):
        soak = metafunc.config.getoption("--soak")
        listed = [one if soak else one.daily for file in files for one in repositories(file)]
        metafunc.parametrize("repository", [one for one in listed if one.refused or one.verified], ids=str)
