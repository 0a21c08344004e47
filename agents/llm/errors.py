"""All the ways in which asking a model can fail, each with its name in `Fault`.

::

    RemoteError                3
    └── ModelError             3  `fault` tells which
        ├── ModelUnavailable   3  no reply, after the tries it deserves: limited, failing, too slow, not there, refused
        └── BrokenReply        3  a reply that is no answer; `text` is what came of it
    ServiceError
    └── ReplayMiss             3  the answer is not among the kept ones, and the model may not be asked
    InputError
    ├── ProfileError           2  the profile, its key, its library or its price is missing
    └── PromptTooLong          2  prompt and reply don't fit into the model's context
    BudgetError
    └── BudgetExceeded         5  the call could exceed a limit, and was not made
"""

from enum import StrEnum

from kg.errors import BudgetError, InputError, RemoteError, ServiceError

__all__ = [
    "BrokenReply",
    "BudgetExceeded",
    "Fault",
    "ModelError",
    "ModelUnavailable",
    "ProfileError",
    "PromptTooLong",
    "ReplayMiss",
    "TooMuch",
]


class Fault(StrEnum):
    """What was wrong with a call. The first six concern the road to the model, the others its reply."""

    LIMITED = "limited"
    """429."""
    FAILING = "failing"
    """5xx."""
    TIMEOUT = "timeout"
    """No whole reply within the profile's time: nothing came, it came too slowly, or a stream hung."""
    UNREACHABLE = "unreachable"
    """No connection came about."""
    DISCONNECTED = "disconnected"
    """The connection was lost before any of the reply came."""
    REFUSED = "refused"
    """Another 4xx: a wrong key, an unknown model, a request that the server does not take. Or a redirection."""
    NOT_A_REPLY = "not a reply"
    """Status 200 and something else: a page, broken JSON, an error."""
    CUT = "cut"
    """The stream ended before its end."""
    EMPTY = "empty"
    """No choice, or one without text."""
    LENGTH = "length"
    """The reply reached the limit of its tokens."""
    REFUSAL = "refusal"
    """The model declined."""
    FILTERED = "filtered"
    """The provider's filter took the reply back."""
    NOT_JSON = "not JSON"
    """JSON was asked for, and there is none in the reply, or it is cut."""
    WRONG_SCHEMA = "wrong schema"
    """JSON that is not of the form that was asked for."""


class ModelError(RemoteError):
    """Asking a model failed."""

    def __init__(self, what: str, *, fault: Fault, where: str = "", remedy: str = "") -> None:
        self.fault = fault
        super().__init__(what, where=where, remedy=remedy)


class ModelUnavailable(ModelError):
    """No reply came, after the tries that the fault deserves."""


class BrokenReply(ModelError):
    """A reply came, was charged, and is no answer. Never kept as one, so that asking again asks the model again."""

    def __init__(self, what: str, *, fault: Fault, text: str = "", where: str = "", remedy: str = "") -> None:
        self.text = text
        super().__init__(what, fault=fault, where=where, remedy=remedy)


class TooMuch(Exception):
    """More bytes than a reply can have, or packed ones, which may be any number of them. No caller of ours sees it."""


class ReplayMiss(ServiceError):
    """The model may not be asked (profile with ``replay = "replay"``), and no kept answer fits."""


class ProfileError(InputError):
    """A model can't be asked as it is configured."""


class PromptTooLong(InputError):
    """A prompt and its reply are longer than the model's context."""


class BudgetExceeded(BudgetError):
    """A call could have led beyond a limit of tokens, money or calls (`unit`), and was not made."""

    def __init__(self, what: str, *, unit: str, where: str = "", remedy: str = "") -> None:
        self.unit = unit
        super().__init__(what, where=where, remedy=remedy)
