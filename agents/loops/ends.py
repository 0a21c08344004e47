"""How a run of an agent ends: always in a named state, which whatever ends it raises.

::

    Halt             carries the `End`
    ├── Stopped      a limit of steps, tokens, money, calls or time; going on with more of it resumes
    ├── Stuck        nothing new has come for too long
    └── Failed       the agent has given up, or has nothing left to try
"""

from typing import Literal

from kg.models.paper import Model

__all__ = ["Covered", "End", "Failed", "Halt", "Limits", "State", "Stopped", "Stuck"]

State = Literal["done", "failed", "stopped", "stuck"]


class Limits(Model):
    """What a run may use: calls of the model, and seconds of work. What it may spend is the ledger's to hold
    (`llm.run_tokens`, `llm.run_money`); `repairs` are those of a program that does not run or whose tests fail."""

    steps: int = 60
    seconds: float = 3600.0
    repairs: int = 5


class Covered(Model):
    """Of the requirements that were read out of the paper, how many have files, and which have none."""

    total: int = 0
    met: int = 0
    missing: tuple[str, ...] = ()


class End(Model):
    """`why` is one of a few words ("tests pass", "steps", "no progress"), `said` tells it to people."""

    state: State
    why: str
    said: str = ""
    coverage: Covered | None = None
    copies: tuple[str, ...] = ()
    verdicts: dict[str, int] = {}

    @property
    def exit_code(self) -> int:
        """Of the command that ran it."""
        return {"done": 0, "stopped": 5}.get(self.state, 4)


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


class Failed(Halt):
    """There is nothing left to try."""

    def __init__(self, why: str, said: str) -> None:
        super().__init__(End(state="failed", why=why, said=said))
