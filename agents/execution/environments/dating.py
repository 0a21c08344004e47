"""When a repository was written, and the Python that fits it."""

import re
import tempfile
import tomllib
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from agents.execution.environments.declared import Declared, Reader
from agents.execution.environments.models import EnvironmentFailed
from agents.execution.environments.names import table
from agents.execution.environments.uv import NoNetwork, run_uv
from agents.execution.sandbox.interpreter import Interpreter
from kg.config import Settings

__all__ = ["date_of", "python_of_date", "python_of_pins"]

_GROWN_UP = timedelta(days=300)
"""Days after a Python's release until the numeric stack has wheels for it."""
_AFTER_PINS = timedelta(days=30)
"""Pins are versions that were out when they were written."""
_FIRST = date(2005, 1, 1)
_SECONDS = 60.0


def date_of(repo: Path | None, declared: Declared, pythons: Sequence[Interpreter], settings: Settings) -> date | None:
    """A guess from what the repository says: a month after its newest pin (of the numeric
    stack, if that is pinned), else the newest date of its change log.

    None if it says nothing of the kind, or only nonsense. Network is used for the pins alone, and done without.
    """
    numeric = [line for line in declared.pinned if re.split(r"[^a-z0-9-]", line)[0] in table()["numeric"]["names"]]
    pins = numeric or declared.pinned
    if pins:
        found = [when for line in pins[:40] if (when := _published(line, pythons, settings))]
        if found:
            return min(max(found) + _AFTER_PINS, _today())
    return _logged(repo) if repo else None


def python_of_date(pythons: Sequence[Interpreter], when: date) -> Interpreter:
    """The newest Python that was grown up at `when`, else the oldest here."""
    releases: dict[str, date] = table()["releases"]
    fitting = [one for one in pythons if one.minor in releases and releases[one.minor] + _GROWN_UP <= when]
    return fitting[-1] if fitting else pythons[0]


def python_of_pins(
    pythons: Sequence[Interpreter], lines: Sequence[str], when: date | None, settings: Settings
) -> Interpreter:
    """The Python on which all of `lines` have wheels: that of the date if it will do, else the newest one.

    Where there is none, that on which most of them have.
    """
    preferred = python_of_date(pythons, when or _today())
    best, most = preferred, -1
    for python in (preferred, *(one for one in reversed(pythons) if one != preferred)):
        having = sum(_lock(line, python, settings) is not None for line in lines)
        if having == len(lines):
            return python
        if having > most:
            best, most = python, having
    return best


def _published(line: str, pythons: Sequence[Interpreter], settings: Settings) -> date | None:
    """When the wheel of a pinned requirement was published, on whichever Python has one."""
    for python in reversed(pythons):
        text = _lock(line, python, settings)
        if text is None:
            continue
        times = [wheel.get("upload-time") for one in tomllib.loads(text)["packages"] for wheel in one.get("wheels", [])]
        dates = [time.astimezone(UTC).date() for time in times if isinstance(time, datetime)]
        return min(dates, default=None)
    return None


_locks: dict[tuple[str, str], str | None] = {}


def _lock(line: str, python: Interpreter, settings: Settings) -> str | None:
    """The lock of one requirement without its dependencies, None if it has no wheel for `python`."""
    key = (line, python.version)
    if key not in _locks:
        root = settings.cache / "environments"
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".resolve-", dir=root) as name:
            folder = Path(name)
            (folder / "one.in").write_text(f"{line}\n", encoding="utf-8")
            try:
                _locks[key] = run_uv(
                    "pip", "compile", "one.in", "--no-deps", "--format", "pylock.toml", "--quiet", "--no-build",
                    "--no-header", "--python", str(python.executable),
                    folder=folder, seconds=_SECONDS,
                )  # fmt: skip
            except NoNetwork:
                return None
            except EnvironmentFailed:
                _locks[key] = None
    return _locks[key]


def _logged(repo: Path) -> date | None:
    """The newest date in a change log, a news file or a citation file at the top of the repository."""
    reader = Reader(repo)
    files = [
        path for pattern in ("CHANGE*", "HISTORY*", "NEWS*", "RELEASE*", "CITATION*") for path in repo.glob(pattern)
    ]
    found = []
    for path in sorted(files)[:8]:
        for year, month, day in re.findall(r"\b(20\d\d)-(\d\d)-(\d\d)\b", reader.text(path) or "")[:2000]:
            try:
                found.append(date(int(year), int(month), int(day)))
            except ValueError:
                continue
    return max((when for when in found if _FIRST < when <= _today()), default=None)


def _today() -> date:
    return datetime.now(UTC).date()
