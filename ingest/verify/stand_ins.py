"""Files that a repository's build would have generated, made up where code only asks for them."""

import re
import tomllib
from pathlib import Path, PurePosixPath

from ingest.verify.layout import Layout

__all__ = ["missing_files"]

_VERSION = re.compile(r"^(?:\w+)?_?version_?$|^_?\w*version\w*$")
_NAME = re.compile(r"""(?m)^\s*name\s*=\s*["']?([A-Za-z0-9][\w.-]{0,80})["']?\s*,?\s*$""")
NUMBER = "0.0.0"


def missing_files(folder: Path, layout: Layout) -> dict[str, str]:
    """Path → text of version modules that are imported but absent, and of the metadata of the repository's package."""
    return {**_version_modules(layout), **_metadata(folder, layout)}


def _version_modules(layout: Layout) -> dict[str, str]:
    """Modules of the repository's packages that carry a version, are imported, and are not there (`_version.py`)."""
    wanted: dict[str, set[str]] = {}
    for file, names in layout.imports.items():
        for dotted in names:
            for path, name in _targets(dotted, file, layout):
                if path not in layout.known and _VERSION.match(PurePosixPath(path).stem):
                    wanted.setdefault(path, set()).add(name)
    return {path: _version_text(names) for path, names in sorted(wanted.items())}


def _targets(dotted: str, file: str, layout: Layout) -> list[tuple[str, str]]:
    """Where in a package of the repository an import would look for a module, and the name it takes from it."""
    folder = PurePosixPath(file).parent
    if match := re.match(r"(\.+)(.*)", dotted):
        parts = match[2].split(".")
        for _ in range(len(match[1]) - 1):
            folder = folder.parent
        homes = [folder]
    else:
        parts = dotted.split(".")
        homes = [PurePosixPath(root) for root in layout.roots]
    found = []
    for home in homes:
        for cut in (len(parts), len(parts) - 1):
            module = home.joinpath(*parts[:cut]) if cut > 0 else None
            if (
                module
                and f"{module.parent}/__init__.py" in layout.known
                and f"{module}/__init__.py" not in layout.known
            ):
                found.append((f"{module}.py", parts[cut] if cut < len(parts) else ""))
    return found


def _version_text(names: set[str]) -> str:
    given = [f"{name} = {NUMBER!r}" for name in sorted(names) if name.isidentifier()]
    return "\n".join([f"__version__ = version = {NUMBER!r}", "version_tuple = (0, 0, 0)", *given]) + "\n"


def _metadata(folder: Path, layout: Layout) -> dict[str, str]:
    """A ``dist-info`` that lets code ask for the version of its own, uninstalled, package."""
    name = _project_name(folder)
    if name is None:
        return {}
    root = layout.roots[-1] if layout.roots[-1] == "src" else layout.roots[0]
    place = PurePosixPath(root, f"{name.replace('-', '_')}-{NUMBER}.dist-info", "METADATA")
    return {str(place): f"Metadata-Version: 2.1\nName: {name}\nVersion: {NUMBER}\n"}


def _project_name(folder: Path) -> str | None:
    for file in ("pyproject.toml", "setup.cfg", "setup.py"):
        path = folder / file
        if path.is_symlink() or not path.is_file():
            continue
        with path.open("rb") as stream:
            text = stream.read(200_000).decode("utf-8", "replace")
        if file == "pyproject.toml":
            try:
                tables = tomllib.loads(text)
            except tomllib.TOMLDecodeError:
                continue
            names = [tables.get("project"), tables.get("tool", {}).get("poetry") if "tool" in tables else None]
            text = "\n".join(f"name = {t['name']}" for t in names if isinstance(t, dict) and "name" in t)
        if match := _NAME.search(text):
            return match[1]
    return None
