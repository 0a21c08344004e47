"""Stand-in packages in a site folder: for what is beside the method, for what can't be had, and for new names."""

import keyword
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path

__all__ = ["write_aliases", "write_stubs"]

_HELPER = "xkg_standin"


def write_stubs(site: Path, names: Iterable[str]) -> None:
    """A stand-in for each import name: inert, or for one that starts with "!" absent (see ``inside/xkg_standin.py``).

    A name that the site folder already provides is left alone.
    """
    for name in sorted(set(names)):
        _write(site, name.lstrip("!"), f"{'absent' if name.startswith('!') else 'inert'}(__name__)")


def write_aliases(site: Path, names: Mapping[str, str]) -> None:
    """For each import name that is gone a package that is its successor."""
    for name, successor in sorted(names.items()):
        _write(site, name, f"alias(__name__, {successor!r})")


def _write(site: Path, name: str, call: str) -> None:
    top = name.partition(".")[0]
    if not top.isidentifier() or keyword.iskeyword(top) or _provides(site, top):
        return
    helper = site / f"{_HELPER}.py"
    if not helper.exists():
        source = resources.files("agents.environments").joinpath("inside", f"{_HELPER}.py")
        helper.write_text(source.read_text("utf-8"), encoding="utf-8")
    folder = site / top
    folder.mkdir()
    text = f'"""A stand-in, not the package."""\n\nimport {_HELPER}\n\n{_HELPER}.{call}\n'
    (folder / "__init__.py").write_text(text, encoding="utf-8")


def _provides(site: Path, top: str) -> bool:
    return (site / top).exists() or (site / f"{top}.py").exists() or any(site.glob(f"{top}.*.so"))
