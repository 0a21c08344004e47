"""The text of a file in which a unit's calls are kept, so that they can be made again of something else."""

import secrets

from agents.execution.syntax import NotPython3, parse
from agents.rewrite.reading import definition
from kg.models.code import CodeUnit

__all__ = ["recorded_text"]

_RECORDER = "xkg_inside.recording"


def recorded_text(text: str, unit: CodeUnit) -> str | None:
    """`text` with the function or class at its top that `unit` is or belongs to behind the harness's recorder.

    None for what is neither, and for a file that is not Python 3.
    """
    try:
        node = definition(parse(text), unit)
    except NotPython3:
        return None
    if node is None:
        return None
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    name, indent = f"_{secrets.token_hex(4)}", " " * node.col_offset
    lines = text.split("\n")
    lines[first - 1 : first - 1] = [f"{indent}import {_RECORDER} as {name}", f"{indent}@{name}.recorded()"]
    changed = "\n".join(lines)
    try:
        parse(changed)
    except NotPython3:
        return None
    return changed
