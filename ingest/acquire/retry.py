"""When a remote host deserves another try, how long to wait before it, and when to give up."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

import requests
from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt, stop_before_delay
from tenacity.stop import stop_base
from urllib3.exceptions import NewConnectionError

from kg.config import Settings
from kg.errors import RemoteError

__all__ = ["PASSING", "Again", "Unreachable", "failed_request", "patiently", "retry_after"]

T = TypeVar("T")

PASSING = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524})
"""HTTP statuses that may pass by waiting."""


class Again(Exception):
    """A try failed in a way that may pass; `wait` is how long the host asked to wait, in seconds, if it did."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        self.reason, self.wait = reason, wait
        super().__init__(reason)


class Unreachable(Again):
    """No connection came about at all: most likely there is no network, and a second try is enough to know."""


class _StopOffline(stop_base):
    def __call__(self, retry_state: RetryCallState) -> bool:
        error = retry_state.outcome.exception() if retry_state.outcome else None
        return isinstance(error, Unreachable) and retry_state.attempt_number >= 2


def failed_request(error: requests.RequestException) -> Again:
    """What a failure of `requests` (which `arxiv` and PyGithub use) means for another try."""
    cause = error.args[0] if error.args else None
    if isinstance(error, requests.ConnectTimeout) or isinstance(getattr(cause, "reason", None), NewConnectionError):
        return Unreachable("no connection")
    if isinstance(error, requests.Timeout):
        return Again("no answer in time")
    return Again("the connection failed or was cut")


def retry_after(value: str | None) -> float | None:
    """Seconds to wait by a Retry-After header (seconds, or an HTTP date); None if there is none to be understood."""
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError, OverflowError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def patiently(settings: Settings, what: str, attempt: Callable[[], T], *, tries: int = 5) -> T:
    """What `attempt` returns, tried again when it raises Again.

    Waits as long as the host asks, else `network.retry_wait` seconds, doubled each time. Gives up after `tries`, after
    two if no connection comes about at all, or when the next wait would lead beyond `network.retry_total` seconds.
    Raises RemoteError with `what` and the reason.
    """

    def wait(state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.wait if isinstance(error, Again) else None
        return asked if asked is not None else settings.network.retry_wait * 2.0 ** (state.attempt_number - 1)

    retrying = Retrying(
        retry=retry_if_exception_type(Again),
        wait=wait,
        stop=stop_after_attempt(tries) | stop_before_delay(settings.network.retry_total) | _StopOffline(),
        sleep=time.sleep,
        reraise=True,
    )
    try:
        return retrying(attempt)
    except Again as error:
        number = retrying.statistics.get("attempt_number", 1)
        told = f" after {number} tries" if number > 1 else ""
        if error.wait and error.wait > settings.network.retry_total:
            raise RemoteError(
                f"{what}: {error.reason}, and asks to wait {error.wait:.0f} s", remedy="run again after that time"
            ) from error
        raise RemoteError(f"{what}: {error.reason}{told}", remedy="run again later; what is done is kept") from error
