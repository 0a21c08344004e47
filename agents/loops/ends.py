"""How a run of an agent ends: always in a named state, which whatever ends it raises.

::

    Halt             carries the `End`
    ├── Stopped      a limit of steps, tokens, money, calls or time; going on with more of it resumes
    ├── Unproven     what was written ran, and nothing of it is shown
    ├── Stuck        nothing new has come for too long
    └── Failed       the agent has given up, or has nothing left to try

"interrupted" is raised by nobody here: it is what a ServiceError makes of a run (no graph, no sandbox, no model).
"""

from typing import Literal

from pydantic import AliasChoices, ConfigDict, Field

from kg.errors import ServiceError
from kg.models.paper import Model

__all__ = ["Covered", "End", "Failed", "Halt", "Limits", "Shown", "State", "Stopped", "Stuck", "Unproven"]

State = Literal["done", "unproven", "failed", "stuck", "stopped", "interrupted"]
RESUMABLE: frozenset[State] = frozenset({"stopped", "interrupted"})
"""States from which a run can go on."""


class Limits(Model):
    """What a run may use: calls of the model, and seconds of work. What it may spend is the ledger's to hold
    (`llm.run_tokens`, `llm.run_money`); `repairs` are those of a program that does not run or whose tests fail."""

    steps: int = 60
    seconds: float = 3600.0
    repairs: int = 5


class Covered(Model):
    """Of the requirements that were read out of the paper, how many have all of their files, whatever these do, and
    which have not."""

    total: int = 0
    with_files: int = Field(default=0, validation_alias=AliasChoices("with_files", "met"))
    missing: tuple[str, ...] = ()


class Shown(Model):
    """What the sandbox itself reported of a program: its tests by their outcome, how many are written, how many passed
    ones call functions or classes of it (`reaching`), the verdicts of these. `unverified` names those that are not
    verified, with the reason; `lacking` tells in sentences why all that is no proof: of one, it is empty."""

    tests: dict[str, int] = {}
    written: int = 0
    reaching: int = 0
    verdicts: dict[str, int] = {}
    unverified: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()


class End(Model):
    """How a run ended, on the disk too, where there may be ends of an earlier form.

    `why` is one of a few words ("tests pass", "steps", "no progress"), `said` tells it to people.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    state: State
    why: str
    said: str = ""
    coverage: Covered | None = None
    copies: tuple[str, ...] = ()
    departures: tuple[str, ...] = ()
    shown: Shown | None = None

    @property
    def verdicts(self) -> dict[str, int]:
        """How many functions and classes have which verdict."""
        return self.shown.verdicts if self.shown else {}

    @property
    def resumable(self) -> bool:
        """Whether the run can go on."""
        return self.state in RESUMABLE

    @property
    def exit_code(self) -> int:
        """Of the command that ran it."""
        return {"done": 0, "stopped": 5, "interrupted": ServiceError.exit_code}.get(self.state, 4)


class Halt(Exception):
    """The run is over; `end` says how."""

    def __init__(self, end: End) -> None:
        self.end = end
        super().__init__(f"{end.state}: {end.why}")


class Stopped(Halt):
    """A limit was reached."""

    def __init__(self, limit: str, said: str) -> None:
        super().__init__(End(state="stopped", why=limit, said=said))


class Stuck(Halt):
    """What was tried brought nothing new."""

    def __init__(self, said: str) -> None:
        super().__init__(End(state="stuck", why="no progress", said=said))


class Unproven(Halt):
    """What was written ran, and it is not shown that it does anything right."""

    def __init__(self, shown: Shown) -> None:
        super().__init__(End(state="unproven", why="nothing shown", said="; ".join(shown.lacking), shown=shown))


class Failed(Halt):
    """There is nothing left to try."""

    def __init__(self, why: str, said: str) -> None:
        super().__init__(End(state="failed", why=why, said=said))
