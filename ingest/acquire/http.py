"""Requests to remote hosts: one at a time where a host asks for it, and again where that may help."""

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path

import httpx

from kg.caching import locked
from kg.config import Settings
from kg.errors import InputError, RemoteError
from kg.files import disk_errors
from kg.retrying import Again, Unreachable, patiently, retry_after

__all__ = ["Missing", "Pace", "answer", "download"]

PASSING = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524})
"""HTTP statuses that may pass by waiting."""
LARGEST = 10_000_000
"""Bytes of an answer that is read into memory."""
SLOWEST = 600.0
"""Seconds that one try may take, however the bytes drip in."""
FAR = 3600.0
"""Seconds; a noted moment farther away than this is a clock that was set back, not a wait."""
PAGE = re.compile(r"(text/html|application/(xhtml\+xml|json|xml)|image/|audio/|video/|text/xml)", re.IGNORECASE)


class Missing(Exception):
    """The server says that there is no such file (404, 410)."""


class Pace:
    """The turn-taking before one host, so many seconds apart over all processes of this user, as arXiv's terms ask.

    Its state is a lock and a moment in `settings.cache`.
    """

    def __init__(self, settings: Settings, host: str) -> None:
        self._settings, self._host = settings, host
        self._note = settings.cache / "locks" / f"{host}.next"

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for our turn, hold it while the block talks to the host, then leave the interval to the next one."""
        with locked(self._settings.cache, f"requests to {self._host}"):
            time.sleep(max(0.0, self._next() - time.time()))
            try:
                yield
            finally:
                self._write(max(self._next(), time.time() + self._settings.arxiv.interval))

    def hold(self, seconds: float) -> None:
        """Let nobody ask before `seconds` from now: the host said so."""
        self._write(max(self._next(), time.time() + min(seconds, FAR - 1)))

    def _next(self) -> float:
        try:
            moment = float(self._note.read_text())
        except (OSError, ValueError):
            return 0.0
        return moment if moment < time.time() + FAR else 0.0

    def _write(self, moment: float) -> None:
        with disk_errors(self._settings.cache):
            self._note.write_text(f"{moment:.3f}")


@contextmanager
def _answered(
    url: str, what: str, pace: Pace | None, params: Mapping[str, str] | None, headers: Mapping[str, str]
) -> Iterator[httpx.Response]:
    """The answer to one try, its body not yet read, whatever its status says; as bytes are, few redirects followed.

    Raises Again for what may pass (a used up allowance does not soon), Unreachable without a connection, RemoteError
    for redirects that lead nowhere.
    """
    given = {"User-Agent": "xkg", "Accept-Encoding": "identity", **headers}
    client = httpx.Client(follow_redirects=True, max_redirects=5, timeout=httpx.Timeout(30.0, connect=15.0))
    try:
        turn = pace.turn() if pace else nullcontext()
        with turn, client, client.stream("GET", url, params=params, headers=given) as response:
            wait = retry_after(response.headers.get("Retry-After"))
            used_up = wait is None and response.headers.get("X-RateLimit-Remaining") == "0"
            if response.status_code in PASSING and not used_up:
                if pace:
                    pace.hold(wait or 0.0)
                raise Again(f"HTTP {response.status_code}", wait)
            yield response
    except httpx.TooManyRedirects as error:
        raise RemoteError(f"{what}: redirected in circles", where=url) from error
    except (httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
        raise RemoteError(f"{what}: redirected to an address that is none", where=url) from error
    except (httpx.ConnectError, httpx.ConnectTimeout) as error:
        raise Unreachable(f"no connection ({_message(error)})") from error
    except httpx.TimeoutException as error:
        raise Again("no answer in time") from error
    except httpx.TransportError as error:
        raise Again(f"the connection failed or was cut ({_message(error)})") from error


def _message(error: Exception) -> str:
    return str(error).splitlines()[0][:120] if str(error) else type(error).__name__


def answer(
    url: str,
    what: str,
    *,
    pace: Pace | None = None,
    params: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> tuple[httpx.Response, bytes]:
    """One try at an answer that fits into memory, and its body, whatever its status says; `what` names it in messages.

    Raises Again or Unreachable for `patiently` to see, RemoteError for one that can't be read.
    """
    with _answered(url, what, pace, params, headers or {}) as response:
        body = b"".join(_blocks(response, what, LARGEST))
    return response, body


def _blocks(response: httpx.Response, what: str, limit: int) -> Iterator[bytes]:
    """The body as it comes, at most `limit` bytes (InputError), and not too slowly (Again)."""
    announced = response.headers.get("Content-Length", "")
    total, deadline = 0, time.monotonic() + SLOWEST
    _within(int(announced) if announced.isdecimal() else 0, what, limit)
    for block in response.iter_raw():
        total += len(block)
        _within(total, what, limit)
        yield block
        if time.monotonic() > deadline:
            raise Again("the bytes came too slowly")


def _within(size: int, what: str, limit: int) -> None:
    if size > limit:
        raise InputError(
            f"{what} is larger than {limit / 1e6:.0f} MB",
            remedy="download and unpack it yourself, then give the folder",
        )


def download(url: str, target: Path, settings: Settings, pace: Pace, *, what: str, limit: int) -> None:
    """Fetch `url` into `target`, at most `limit` bytes; what was cut is fetched anew.

    Raises Missing, InputError (too large), RemoteError (after retries, or a refusal) or ServiceError (disk full); what
    is in `target` then is the caller's to remove.
    """

    def attempt() -> None:
        with _answered(url, what, pace, None, {}) as response, target.open("wb") as file:
            _check(response, what)
            file.writelines(_blocks(response, what, limit))

    with disk_errors(target.parent):
        patiently(settings, what, attempt)


def _check(response: httpx.Response, what: str) -> None:
    where = str(response.url.copy_with(query=None))
    if response.status_code in {404, 410}:
        raise Missing(where)
    if response.status_code != 200:
        raise RemoteError(
            f"{what}: refused with HTTP {response.status_code}", where=where, remedy="open the address in a browser"
        )
    kind = response.headers.get("Content-Type", "")
    if PAGE.match(kind):
        raise Again(f"the answer is {kind.partition(';')[0]}, a page and not the file")
