"""What contradicts a function whose name or documentation is that of a definition, found as inside the sandbox."""

from pathlib import Path
from typing import Any

from agents.code.units import read_units
from agents.code.verify.promises import dumped, promises
from agents.execution.harness.inside.values import Record, wrapped

__all__ = ["Calls", "contradicted"]

Calls = list[tuple[Any, ...]]
KINDS = {"definition", "textbook", "method"}


def contradicted(folder: Path, text: str, calls: Calls, which: int = 0) -> str:
    """What contradicts the function at this place of a text, which is called with each of `calls`; "" if nothing."""
    (folder / "m.py").write_text(text)
    unit = [unit for unit in read_units(folder).units if unit.kind == "function"][which]
    names, record = dict[str, Any](), Record()
    exec(text, names)  # noqa: S102 -- the text is a test's
    names[unit.name] = wrapped("probe", dumped(promises(unit)), record)(names[unit.name])
    for call in calls:
        names[unit.name](*call)
    return "".join(one["found"] for one in record.report()["refuted"] if one["kind"] in KINDS)
