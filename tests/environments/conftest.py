"""Every test has a cache of its own and an index that is a folder of wheels; no network is needed."""

from pathlib import Path

import pytest
from environment_index import Index

from kg.config import Settings, load_settings


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    """The only index there is."""
    made = Index(tmp_path / "wheels")
    for name in ("PIP_FIND_LINKS", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("UV_NO_INDEX", "1")
    monkeypatch.setenv("UV_FIND_LINKS", str(made.folder))
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv"))
    return made


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A cache of its own, and no index of torch's."""
    return load_settings().replace(cache=tmp_path / "cache", execution__torch_index=False)
