"""A package index in a folder: tiny wheels made by hand, some of them hostile. No network is needed."""

import base64
import hashlib
import io
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from agents.execution.environments import EnvironmentSpec

HERE = f"{sys.version_info.major}.{sys.version_info.minor}"


class Index:
    """Wheels in `folder`, which is all that uv can see."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()

    def wheel(
        self,
        name: str,
        version: str = "1.0",
        files: Mapping[str, str | bytes] | None = None,
        *,
        requires: tuple[str, ...] = (),
        record: bool = True,
    ) -> Path:
        """A wheel of `files`, by default a module of the distribution's own name."""
        module = name.replace("-", "_")
        content = dict(files if files is not None else {f"{module}/__init__.py": f"version = {version!r}\n"})
        info = f"{module}-{version}.dist-info"
        lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
        content[f"{info}/METADATA"] = "\n".join([*lines, *(f"Requires-Dist: {line}" for line in requires)]) + "\n"
        content[f"{info}/WHEEL"] = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        rows = [f"{path},{_digest(data)},{len(data)}" for path, data in content.items()] if record else []
        content[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,"]) + "\n"
        path = self.folder / f"{module}-{version}-py3-none-any.whl"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, data in content.items():
                archive.writestr(member, data)
        return path

    def sdist(self, name: str, version: str, ran: Path, more: str = "", requires: tuple[str, ...] = ()) -> Path:
        """A source distribution of a module of its name, whose setup.py leaves a trace in `ran`, if it can, and then
        does `more`."""
        path = self.folder / f"{name}-{version}.tar.gz"
        setup = (
            f"try:\n    open({str(ran)!r}, 'w').close()\nexcept OSError:\n    pass\n{more}\n"
            "from setuptools import setup\n"
            f"setup(name={name!r}, version={version!r}, py_modules=[{name!r}], install_requires={list(requires)!r})\n"
        )
        files = {
            "setup.py": setup,
            f"{name}.py": f"version = {version!r}\n",
            "PKG-INFO": f"Metadata-Version: 1.0\nName: {name}\nVersion: {version}\n",
        }
        with tarfile.open(path, "w:gz") as archive:
            for member, text in files.items():
                entry = tarfile.TarInfo(f"{name}-{version}/{member}")
                entry.size = len(text)
                archive.addfile(entry, io.BytesIO(text.encode()))
        return path


def _digest(data: str | bytes) -> str:
    raw = data.encode() if isinstance(data, str) else data
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(raw).digest()).rstrip(b"=").decode()


def wish(*requirements: str, strategy: str = "relaxed", **more: object) -> EnvironmentSpec:
    """A spec for the Python that runs the tests."""
    return EnvironmentSpec.model_validate({"requirements": requirements, "python": HERE, "strategy": strategy} | more)
