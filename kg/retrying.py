"""Trying again what may pass by waiting: the one rule for every host, be it a library's or a model's."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt, stop_before_delay

from kg.config import Settings
from kg.errors import RemoteError

__all__ = ["Again", "Unreachable", "patiently", "retry_after"]

T = TypeVar("T")


class Again(Exception):
    """A try failed in a way that may pass; `wait` is how long the host asked to wait, in seconds, if it did."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        self.reason, self.wait = reason, wait
        super().__init__(reason)


class Unreachable(Again):
    """No connection came about at all: most likely there is no network, and a second try is enough to know."""


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


def patiently(
    settings: Settings, what: str, attempt: Callable[[], T], *, tries: int = 5, total: float | None = None
) -> T:
    """What `attempt` returns, tried again when it raises Again.

    Waits as long as the host asks, else `settings.network.retry_wait` seconds, doubled each time. Gives up after
    `tries`, after two if no connection comes about at all, or when the next wait would lead beyond `total` seconds
    (`settings.network.retry_total`). Raises RemoteError with `what` and the reason, the last Again being its cause.
    """
    total = settings.network.retry_total if total is None else total

    def failure(state: RetryCallState) -> BaseException | None:
        return state.outcome.exception() if state.outcome else None

    def stop(state: RetryCallState) -> bool:
        return limits(state) or (isinstance(failure(state), Unreachable) and state.attempt_number >= 2)

    def wait(state: RetryCallState) -> float:
        asked = getattr(failure(state), "wait", None)
        return settings.network.retry_wait * 2.0 ** (state.attempt_number - 1) if asked is None else float(asked)

    limits = stop_after_attempt(tries) | stop_before_delay(total)
    retrying = Retrying(
        retry=retry_if_exception_type(Again),
        wait=wait,
        stop=stop,
        sleep=time.sleep,
        reraise=True,
    )
    try:
        return retrying(attempt)
    except Again as error:
        number = retrying.statistics.get("attempt_number", 1)
        spent = f" after {number} tries" if number > 1 else ""
        if error.wait and error.wait > total:
            raise RemoteError(
                f"{what}: {error.reason}, and asks to wait {error.wait:.0f} s", remedy="run again after that time"
            ) from error
        raise RemoteError(f"{what}: {error.reason}{spent}", remedy="run again later; what is done is kept") from error
