"""The one tree of errors that xkg raises on purpose.

::

    XkgError               1  unexpected, with a sentence all the same
    ├── InputError         2  the user's input or arguments: a file, an archive, an id, a folder
    ├── ServiceError       3  something needed is not there: network, disk, a second writer
    │   ├── DatabaseError  3  unreachable, wrong password, wrong version, not Neo4j
    │   └── RemoteError    3  arXiv, GitHub or another host answered badly or not at all
    ├── PartialError       4  some items failed; what succeeded is kept
    └── BudgetError        5  a limit was reached; running again resumes

The number is the exit code. 130 is an interrupt (Ctrl-C); it has no class, click raises it.
"""

from kg.printing import printable

__all__ = [
    "AbsentError",
    "BudgetError",
    "DatabaseError",
    "InputError",
    "PartialError",
    "RemoteError",
    "ServiceError",
    "XkgError",
]


class XkgError(Exception):
    """A failure told in one sentence: what happened, where, and what to do.

    `what` names the input ("paper.tar.gz is not an archive"), `where` the place (file:line, byte, URL without
    secrets), `remedy` the next step as an imperative ("download it again with `xkg ingest paper --refresh`").
    """

    exit_code = 1

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        self.what, self.where, self.remedy = what, where, remedy
        super().__init__(what + (f" ({where})" if where else "") + (f"; {remedy}" if remedy else ""))

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows: the sentence, as the command line does; it may quote papers."""
        return [printable(f"xkg: {self}")]

    def __reduce__(self) -> tuple[object, ...]:
        """As it is, whatever its class asks of a new one: errors come back from worker processes."""
        return type(self).__new__, (type(self), *self.args), self.__dict__


class InputError(XkgError):
    """The user's input is missing, malformed or hostile."""

    exit_code = 2


class AbsentError(InputError):
    """What was asked for is not there, nor anything of a like name: asking in other words does not help."""


class ServiceError(XkgError):
    """Something that the command needs is not available now."""

    exit_code = 3


class DatabaseError(ServiceError):
    """The graph database can't be used: unreachable, refused, too old, or not Neo4j."""


class RemoteError(ServiceError):
    """A remote host answered badly or not at all, after the retries it deserves."""


class PartialError(XkgError):
    """Some items failed; the others are done and kept. Running again tries only the failed ones."""

    exit_code = 4


class BudgetError(XkgError):
    """A limit of time, tokens or money was reached; running again resumes."""

    exit_code = 5
