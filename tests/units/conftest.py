"""A small repository on disk, read by the product."""

from collections.abc import Callable
from pathlib import Path

import pytest

from agents.code.units import CodeBase, read_units

Files = dict[str, str | bytes]
Read = Callable[[Files], CodeBase]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Writes files into one folder (again at each call) and reads its units."""

    def write_and_read(files: Files) -> CodeBase:
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_units(tmp_path)

    return write_and_read
