"""What judging gives, whoever judges."""

from dataclasses import dataclass

from kg.models.execution import Judgement

__all__ = ["Judged"]


@dataclass(frozen=True)
class Judged:
    """A judgement and the full log it rests on, for the log store: ``judgement.execution.log`` is the sha256 of `log`.

    Without an execution nothing was run, and `log` is empty. Judges that tell more (how far a repository's unit got)
    extend this class.
    """

    judgement: Judgement
    log: bytes = b""
