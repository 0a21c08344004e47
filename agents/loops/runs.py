"""Runs on the disk: what was asked for, the trajectory, and the folder that the agent writes in."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal
from uuid import uuid4

from pydantic import ValidationError

from agents.loops.ends import End, Limits
from agents.loops.knowledge import Part
from agents.loops.trajectory import Step, read_steps
from kg.config import Settings
from kg.errors import InputError
from kg.files import write_file
from kg.models.paper import Model

__all__ = ["LANGUAGES", "AgentName", "RunConfig", "RunFolder", "find_run", "runs"]

AgentName = Literal["basic", "iterative", "papercoder"]

LANGUAGES = ("python",)
"""Of programs that the sandbox runs, tests and judges here."""
PREFIX, LAST = "run:agent/", "last"
CONFIG = "run.json"


class RunConfig(Model):
    """What a run was begun with; only its limits may change. `paper` is the id of the paper that is replicated,
    `without` the kinds of knowledge that the agent does not get, `exclude_papers` and `exclude_repositories` what is
    kept from it beside the paper itself and its repositories."""

    id: str
    paper: str
    agent: AgentName
    language: str = "python"
    profile: str | None = None
    without: tuple[Part, ...] = ()
    exclude_papers: tuple[str, ...] = ()
    exclude_repositories: tuple[str, ...] = ()
    unlicensed: bool = False
    limits: Limits = Limits()
    begun: str = ""

    @property
    def node(self) -> str:
        """The id of its node in the graph."""
        return f"{PREFIX}{self.id}"


class RunFolder:
    """The folder of one run."""

    def __init__(self, path: Path, config: RunConfig) -> None:
        self.path, self.config = path, config

    @classmethod
    def make(cls, settings: Settings, config: RunConfig) -> "RunFolder":
        """A new folder; its configuration is on the disk before anything else happens."""
        begun = datetime.now(UTC)
        config = config.model_copy(
            update={"id": f"{begun:%Y%m%dT%H%M%SZ}-{uuid4().hex[:6]}", "begun": begun.isoformat(timespec="seconds")}
        )
        folder = cls(settings.home / "runs" / config.id, config)
        folder.keep()
        return folder

    def keep(self) -> None:
        """Have the configuration on the disk, as it is now."""
        write_file(self.path / CONFIG, self.config.model_dump_json(indent=1) + "\n")

    @property
    def home(self) -> Path:
        """The home that it lies in."""
        return self.path.parent.parent

    @property
    def trajectory(self) -> Path:
        """The file of its steps."""
        return self.path / "trajectory.jsonl"

    @property
    def workspace(self) -> Path:
        """Where the agent writes."""
        return self.path / "workspace"

    def steps(self) -> list[Step]:
        """All that was done."""
        return read_steps(self.trajectory)

    def end(self) -> End | None:
        """How it has ended; None while it goes on, and where it was killed."""
        steps = self.steps()
        return End.model_validate(steps[-1].result) if steps and steps[-1].kind == "end" else None


def runs(settings: Settings) -> Iterator[RunFolder]:
    """All runs of this home that can be read, the oldest first."""
    for path in _folders(settings):
        with suppress(InputError):
            yield _open(path)


def find_run(settings: Settings, name: str) -> RunFolder:
    """The run whose id is `name` or begins so, the newest that can be read for "last". Raises InputError, with what
    there is, for none or several, and for one that can't be read."""
    if name == LAST and (newest := list(runs(settings))[-1:]):
        return newest[0]
    there = _folders(settings)
    known = [path for path in there if name and path.name.startswith(name.removeprefix(PREFIX))]
    if len(known) == 1:
        return _open(known[0])
    what = f"{name!r} can mean several runs" if known else f"there is no run {name!r}"
    names = ", ".join(path.name for path in known or there[-5:]) or "none"
    raise InputError(f"{what}; there are: {names}", remedy="give the id that `xkg agent run` has told")


def _folders(settings: Settings) -> list[Path]:
    return sorted(path.parent for path in (settings.home / "runs").glob(f"*/{CONFIG}"))


def _open(path: Path) -> RunFolder:
    try:
        return RunFolder(path, RunConfig.model_validate_json((path / CONFIG).read_bytes()))
    except (OSError, ValidationError) as error:
        raise InputError("this is no run of an agent", where=str(path), remedy="remove the folder") from error
