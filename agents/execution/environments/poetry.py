"""Poetry's way to write requirements, in the standard's."""

from collections.abc import Iterator
from typing import Any

from packaging.version import InvalidVersion, Version

__all__ = ["read_poetry"]


def read_poetry(table: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """The requirements of ``[tool.poetry]`` as PEP 508, each with whether it is for tests.

    Python's own is "python " and its specifier. What comes from an address or a path is left to the index by its name.
    """
    groups = table.get("group")
    extra = [group for group in (groups.values() if isinstance(groups, dict) else ()) if isinstance(group, dict)]
    sources = [(table.get("dependencies"), False), (table.get("dev-dependencies"), True)]
    sources += [(group.get("dependencies"), True) for group in extra]
    for source, testing in sources:
        for name, value in source.items() if isinstance(source, dict) else ():
            if name == "python":
                yield f"python {_specifier(value)}", testing
            else:
                yield f"{name}{_specifier(value)}", testing


def _specifier(value: object) -> str:
    """A Poetry constraint ("^1.2", "~1.2", "1.2.*", "*", {"version": …}) as a PEP 440 specifier."""
    if isinstance(value, dict):
        value = value.get("version", "")
    if isinstance(value, list):
        value = value[0].get("version", "") if value and isinstance(value[0], dict) else ""
    if not isinstance(value, str) or "|" in value:
        return ""
    return ",".join(filter(None, (_one(part.strip()) for part in value.split(","))))


def _one(part: str) -> str:
    if part in ("", "*"):
        return ""
    if part[0] in "<>=!" or part.startswith("~="):
        return part.replace(" ", "")
    if part[0] in "^~":
        return _range(part[0], part[1:])
    return f"=={part}"


def _range(sign: str, text: str) -> str:
    try:
        release = Version(text).release
    except InvalidVersion:
        return ""
    fixed = 0 if len(release) == 1 or sign == "^" else 1
    if sign == "^":
        fixed = next((index for index, number in enumerate(release) if number), len(release) - 1)
    upper = [*release[:fixed], release[fixed] + 1]
    return f">={text},<{'.'.join(map(str, upper))}"
