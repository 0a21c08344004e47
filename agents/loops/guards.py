"""What keeps an agent from leaning on code of others, and from keeping to the core of a paper.

All agents share it. A specification comes first, from the paper alone; code that is shown afterwards comes with what it
does otherwise, or not at all; what is copied of it is found by comparing; requirements of the whole paper have files.
"""

import ast
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from agents.code.verify.copies import common
from agents.execution.syntax import NotPython3, parse, parse_piece
from agents.loops.asking import Asking
from agents.loops.ends import Covered
from agents.loops.reply import Compared

__all__ = ["Guards", "coverage"]

COMPARE, STAGE = "compare_code", "comparing"


class Guards:
    """Of one run: `seen` is the code that the agent was shown, by its id, `differing` what of it differs;
    `asked` whether any was compared."""

    def __init__(self, asking: Asking) -> None:
        self.asking = asking
        self.seen: dict[str, str] = {}
        self.differing: dict[str, Compared] = {}
        self.asked = False

    def compared(self, specification: str, pairs: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The pairs of a technique and code with what the code does otherwise than the specification: without those
        that do not fit, and without the text of those that are of use as an interface alone."""
        found = []
        for pair in pairs:
            code = dict(pair.get("code") or {})
            if not code.get("text"):
                found.append(dict(pair))
                continue
            said = self._compare(specification, pair.get("technique") or {}, code)
            if said.use == "reject":
                continue
            if said.use == "interface":
                code.pop("text")
            else:
                self._see(str(code["id"]), str(code["text"]))
            found.append({**pair, "code": {**code, **_told(said)}})
        return found

    def unfit(self, source: str, told: Iterable[str] = ()) -> set[str]:
        """The ids of shown code of which `source` has a copy although it differs from the specification, as was seen
        here, or `told` by who has written it."""
        return self._copied(source).keys() & {*self.differing, *told}

    def copies(self, texts: Mapping[str, str]) -> tuple[str, ...]:
        """What in these files is a copy of shown code, whatever its variables are called."""
        return tuple(
            f"{path}: {', '.join(names)} from {code}"
            for path, text in texts.items()
            for code, names in self._copied(text).items()
        )

    def _copied(self, source: str) -> dict[str, list[str]]:
        found = {code: common(source, _whole(text)) for code, text in self.seen.items()}
        return {code: names for code, names in found.items() if names}

    def _see(self, code: str, text: str) -> None:
        """Note what was shown of it, to which the next part of a long one is joined."""
        seen = self.seen.get(code, "")
        self.seen[code] = seen if text in seen else seen + text

    def _compare(self, specification: str, technique: Mapping[str, Any], code: Mapping[str, Any]) -> Compared:
        self.asked = True
        inputs = {
            "specification": specification,
            "technique": f"{technique.get('name', '')}: {technique.get('definition', '')}",
            "code": str(code["text"])[: self.asking.room // 3],
        }
        said = self.asking.ask(COMPARE, inputs, Compared, STAGE)
        if said.differences:
            self.differing[str(code["id"])] = said
        return said


@cache
def _whole(text: str) -> str:
    """What was shown of a piece of code, without the end where it was cut within a statement."""
    lines = text.splitlines(keepends=True)
    while lines:
        piece = textwrap.dedent("".join(lines))
        with suppress(NotPython3):
            parse(piece)
            return piece
        with suppress(NotPython3, RecursionError):
            return ast.unparse(parse_piece(piece))
        lines.pop()
    return ""


def _told(said: Compared) -> dict[str, Any]:
    """A comparison, beside the code."""
    differences = [f"specified: {one.specified}; there: {one.there}" for one in said.differences]
    return {"use": said.use, "differences": differences or ["none found"]}


def coverage(ledger: Mapping[str, Sequence[str]], there: Sequence[str]) -> Covered:
    """Which requirements of a ledger, each with the files that serve it, have all of these `there`."""
    missing = [said[:300] for said, files in ledger.items() if not files or set(files) - set(there)]
    return Covered(total=len(ledger), with_files=len(ledger) - len(missing), missing=tuple(missing))
