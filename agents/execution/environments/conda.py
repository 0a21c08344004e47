"""conda's environment files, as requirements from PyPI."""

import re
from collections.abc import Iterator

import yaml

from agents.execution.environments.names import conda_names

__all__ = ["read_conda"]

_LARGEST = 60_000
_ENTRY = re.compile(r"(?:[\w.-]+::)?([A-Za-z0-9][\w.-]*)\s*((?:[<>=!~]=?|===?)[^\[#]*)?$")


def read_conda(text: str) -> Iterator[str]:
    """The dependencies of an environment.yml as PEP 508 lines, Python's own among them ("python==3.8.*").

    Of conda's own packages only those are taken whose name on PyPI is known; those below ``pip:`` as they are.
    """
    if len(text) > _LARGEST:
        return
    try:
        tree = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 -- safer than safe: strings, no merge keys
    except (yaml.YAMLError, RecursionError, ValueError):
        return
    entries = tree.get("dependencies") if isinstance(tree, dict) else None
    for entry in entries[:300] if isinstance(entries, list) else ():
        if isinstance(entry, str):
            line = _line(entry)
            if line:
                yield line
        elif isinstance(entry, dict) and isinstance(entry.get("pip"), list):
            yield from (line for line in entry["pip"][:300] if isinstance(line, str) and not line.startswith("-"))


def _line(entry: str) -> str | None:
    found = _ENTRY.match(entry.strip())
    if not found:
        return None
    name = found[1].lower()
    known = "python" if name == "python" else conda_names().get(name)
    return f"{known}{_versions(found[2] or '')}" if known else None


def _versions(text: str) -> str:
    """conda's "=1.19", "=1.19=py38_0", ">=1.2,<2" as PEP 440."""
    text = text.replace(" ", "")
    fuzzy = re.fullmatch(r"=([\w.]+?)(\.\*)?(=[\w.]+)?", text)
    if fuzzy:
        return f"=={fuzzy[1]}.*"
    exact = re.fullmatch(r"==([\w.]+)(=[\w.]+)?", text)
    if exact:
        return f"=={exact[1]}"
    return text if re.fullmatch(r"[<>=!~\w.,*]*", text) else ""
