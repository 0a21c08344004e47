"""A repository of good and bad tests, one module and one test file for each way in which a test can mislead."""

import re
from pathlib import Path

__all__ = ["write_zoo"]


def write_zoo(folder: Path) -> None:
    """Write the files of ``zoo.txt``, where each begins with a line ``==> path``."""
    text = Path(__file__).with_name("zoo.txt").read_text("utf-8")
    for path, body in re.findall(r"(?ms)^==> (.+?)\n(.*?)(?=^==> |\Z)", text):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(body, encoding="utf-8")
