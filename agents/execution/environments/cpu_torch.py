"""Where torch's CPU build can be had."""

import os
import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from packaging.version import InvalidVersion, Version

from agents.execution.environments.models import EnvironmentFailed
from agents.execution.environments.uv import run_uv
from kg.config import Settings
from kg.errors import ServiceError

__all__ = ["WITHOUT_CUDA", "cpu_index", "local_cpu_versions"]

WITHOUT_CUDA = "torch is the CUDA build without CUDA's libraries: no CPU build can be had from here"

_reachable: dict[str, bool] = {}
_SECONDS = 20.0


@cache
def local_cpu_versions() -> tuple[str, ...]:
    """The versions ("2.13.0+cpu") of torch's CPU wheels in the folders of UV_FIND_LINKS and PIP_FIND_LINKS, newest
    first."""
    places = re.split(r"[,\s]+", f"{os.environ.get('UV_FIND_LINKS', '')} {os.environ.get('PIP_FIND_LINKS', '')}")
    found = set()
    for place in filter(None, places):
        folder = Path(unquote(urlsplit(place).path) if place.startswith("file:") else place)
        for wheel in folder.glob("torch-*.whl") if folder.is_dir() else ():
            version = unquote(wheel.name.split("-")[1])
            if version.endswith("+cpu") and _valid(version):
                found.add(version)
    return tuple(sorted(found, key=Version, reverse=True))


def cpu_index(settings: Settings, folder: Path) -> bool:
    """Whether torch's index of CPU builds may be used (`execution.torch_index`) and answers; asked once a process."""
    if not settings.execution.torch_index:
        return False
    if "cpu" not in _reachable:
        (folder / "torch.in").write_text("torch\n", encoding="utf-8")
        try:
            run_uv(
                "pip", "compile", "torch.in", "--quiet", "--no-deps", "--no-build", "--torch-backend", "cpu",
                folder=folder, seconds=_SECONDS, more={"UV_HTTP_RETRIES": "0", "UV_HTTP_TIMEOUT": "10"},
            )  # fmt: skip
            _reachable["cpu"] = True
        except (EnvironmentFailed, ServiceError):
            _reachable["cpu"] = False
    return _reachable["cpu"]


def _valid(version: str) -> bool:
    try:
        Version(version)
    except InvalidVersion:
        return False
    return True
