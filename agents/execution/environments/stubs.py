"""Stand-in packages in a site folder: for what can't be had, and for new names."""

import keyword
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path

__all__ = ["write_aliases", "write_stubs"]

_HELPER = "xkg_standin"


def write_stubs(folder: Path, names: Iterable[str], site: Path) -> None:
    """A stand-in for each import name, that can be mentioned but not used (see ``inside/xkg_standin.py``).

    They are written to `folder`; a name that `site` provides is left alone.
    """
    for name in sorted(set(names)):
        _write(folder, name, "absent(__name__)", site)


def write_aliases(folder: Path, names: Mapping[str, str], site: Path) -> None:
    """For each import name that is gone a package that is its successor."""
    for name, successor in sorted(names.items()):
        _write(folder, name, f"alias(__name__, {successor!r})", site)


def _write(folder: Path, name: str, call: str, site: Path) -> None:
    top = name.partition(".")[0]
    if not top.isidentifier() or keyword.iskeyword(top) or _provides(site, top) or (folder / top).exists():
        return
    helper = folder / f"{_HELPER}.py"
    if not helper.exists():
        source = resources.files("agents.execution.environments").joinpath("inside", f"{_HELPER}.py")
        helper.write_text(source.read_text("utf-8"), encoding="utf-8")
    (folder / top).mkdir()
    text = f'"""A stand-in, not the package."""\n\nimport {_HELPER}\n\n{_HELPER}.{call}\n'
    (folder / top / "__init__.py").write_text(text, encoding="utf-8")


def _provides(site: Path, top: str) -> bool:
    return (site / top).exists() or (site / f"{top}.py").exists() or any(site.glob(f"{top}.*.so"))
