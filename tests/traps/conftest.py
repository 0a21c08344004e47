"""Each module of tests judges the repositories of its `FILES`; a soak judges those, too, that are much like others."""

import pytest
from trap_repositories import repositories


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each repository."""
    if files := getattr(metafunc.module, "FILES", ()):
        soak = metafunc.config.getoption("--soak")
        listed = [one for file in files for one in repositories(file) if soak or not one.soak]
        metafunc.parametrize("repository", listed, ids=str)
