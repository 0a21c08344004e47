"""Small repositories that try to earn `verified` wrongly, and honest ones, written down in text files.

A repository begins with a line ``==== name`` and lines ``key: value``, then its files, each headed ``==> path``
(``==> path -> target`` is a symbolic link):

- ``line``: which promise of the verifier it tries (`LINES`);
- ``refused: file.py#symbol | words``: a unit that must not be `verified`; each word must be in its reason;
- ``verified: file.py#symbol | kind``: a unit that must be, by tests of that kind; words after it must be in its reason;
- ``set: name value``: a limit of ``verify`` other than `SETTINGS`;
- ``soak: only``: one much like another, judged with ``--soak`` alone; ``soak: file.py#symbol`` says so of one unit;
- ``why``: what is wrong, or why the honest one deserves it.

The tests beside this file judge them; each file of tests is a lane of its own.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from agents.code.units import read_units
from agents.code.verify import Supplement, Verifier
from agents.execution.sandbox import open_sandbox
from kg.config import load_settings
from kg.models.execution import Judgement

__all__ = ["LINES", "TrapRepository", "assert_judged_rightly", "judge", "repositories"]

LINES = {
    "channel": "what is reported from inside can't be forged, and mutants can't be told from within",
    "noticing": "a test notices a wrong result by its own assertions, and what is promised is not contradicted",
    "sameness": "each run starts the same",
    "neighbours": "a bad neighbour costs nobody else",
    "honest": "an honest unit that is well tested stays verified",
}
SETTINGS: Mapping[str, float] = {"test_seconds": 1.0}


@dataclass(frozen=True)
class TrapRepository:
    """One repository: texts by path, the units that must be refused (with words of the reason), those that must be
    verified (with the kind of test), limits of ``verify``, and those of its units that only a soak judges."""

    name: str
    line: str
    why: str
    refused: Mapping[str, tuple[str, ...]]
    verified: Mapping[str, str]
    limits: Mapping[str, float]
    soak: frozenset[str]
    files: Mapping[str, str]

    def __str__(self) -> str:
        return self.name

    @property
    def daily(self) -> "TrapRepository":
        """It without those units that only a soak judges."""
        refused = {unit: words for unit, words in self.refused.items() if unit not in self.soak}
        return replace(
            self,
            refused=refused,
            verified={unit: kind for unit, kind in self.verified.items() if unit not in self.soak},
        )

    def write(self, folder: Path) -> None:
        """Write its files below `folder`."""
        for head, text in self.files.items():
            path, _, leads_to = head.partition(" -> ")
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            if leads_to:
                target.symlink_to(leads_to)
            else:
                target.write_text(text, encoding="utf-8", newline="")


def repositories(file: str) -> list[TrapRepository]:
    """All repositories of a text file beside this one."""
    text = Path(__file__).with_name(file).read_text("utf-8")
    return [_repository(name, body) for name, body in re.findall(r"(?ms)^==== (\w+)\n(.*?)(?=^==== |\Z)", text)]


def _repository(name: str, body: str) -> TrapRepository:
    head, *parts = re.split(r"(?m)^==> (.+)\n", body)
    lines: dict[str, list[str]] = {"refused": [], "verified": [], "set": [], "soak": [], "line": [], "why": []}
    for row in head.strip().splitlines():
        key, _, value = row.partition(": ")
        lines[key].append(value.strip())
    claims = {
        key: {unit: words for unit, _, words in (value.partition(" | ") for value in lines[key])}
        for key in ("refused", "verified")
    }
    limits = dict(value.split() for value in lines["set"])
    soak = {*claims["refused"], *claims["verified"]} if lines["soak"] == ["only"] else lines["soak"]
    return TrapRepository(
        name,
        *lines["line"],
        " ".join(lines["why"]),
        {unit: tuple(words.split()) for unit, words in claims["refused"].items()},
        claims["verified"],
        {**SETTINGS, **{key: float(value) for key, value in limits.items()}},
        frozenset(soak),
        dict(zip(parts[::2], (_file(text) for text in parts[1::2]), strict=True)),
    )


def _file(text: str) -> str:
    """The text of a file; ``@CR@`` stands for a carriage return, which no editor leaves alone."""
    return f"{text.rstrip()}\n".lstrip("\n").replace("@CR@", "\r")


def judge(repository: TrapRepository, folder: Path, more: Supplement | None = None) -> dict[str, Judgement]:
    """Write the repository below `folder` and judge the units that it speaks of, each under ``file#symbol``; `more` has
    the last word."""
    repository.write(folder)
    codebase = read_units(folder)
    asked = {*repository.refused, *repository.verified}
    units = [unit for unit in codebase.units if f"{unit.file}#{unit.symbol}" in asked]
    settings = load_settings().replace(**{f"verify__{key}": value for key, value in repository.limits.items()})
    verifier = Verifier(folder, codebase, open_sandbox(settings, "bubblewrap"), settings)
    judging = verifier.judging(units, more=more)
    return {f"{unit.file}#{unit.symbol}": judging(unit).judgement for unit in units}


def assert_judged_rightly(repository: TrapRepository, folder: Path, more: Supplement | None = None) -> None:
    """No unit is verified that must not be, none is refused that deserves it, and reasons say why."""
    found = judge(repository, folder, more)
    assert found.keys() == {*repository.refused, *repository.verified}
    for unit, words in repository.refused.items():
        assert found[unit].verdict != "verified", f"{unit}: {found[unit].reason}: {repository.why}"
        assert [word for word in words if word not in found[unit].reason] == [], found[unit].reason
    for unit, claim in repository.verified.items():
        kind, *words = claim.split()
        assert (found[unit].verdict, found[unit].kind) == ("verified", kind), f"{unit}: {found[unit].reason}"
        assert [word for word in words if word not in found[unit].reason] == [], found[unit].reason
        execution = found[unit].execution
        assert execution is not None
        assert (execution.exit_code, execution.signal, execution.limit) == (0, None, None), unit
