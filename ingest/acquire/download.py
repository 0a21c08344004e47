"""Fetching a file over HTTP, whole: what was cut is resumed where the server allows it, else begun anew."""

import re
import time
from pathlib import Path

import httpx

from ingest.acquire.pace import Pace
from ingest.acquire.retry import PASSING, Again, Unreachable, patiently, retry_after
from kg.caching import load, save
from kg.config import Settings
from kg.errors import InputError, RemoteError
from kg.files import disk_errors
from kg.models.paper import Model

__all__ = ["Missing", "client", "download"]

_SLOWEST = 600.0
"""Seconds that one try may take, however the bytes drip in."""
_PAGE = re.compile(r"(text/html|application/(xhtml\+xml|json|xml)|image/|audio/|video/|text/xml)", re.IGNORECASE)


class Missing(Exception):
    """The server says that there is no such file (404, 410)."""


class _Part(Model):
    """What a part of a file belongs to: an address and the server's mark of that very content."""

    url: str
    mark: str


def client() -> httpx.Client:
    """A client that names itself, follows a few redirects, and asks for bytes as they are."""
    return httpx.Client(
        follow_redirects=True,
        max_redirects=5,
        timeout=httpx.Timeout(30.0, connect=15.0),
        headers={"User-Agent": "xkg", "Accept-Encoding": "identity"},
    )


def download(url: str, target: Path, settings: Settings, pace: Pace, *, name: str, limit: int) -> str:
    """Fetch `url` into `target`, at most `limit` bytes; returns the content type, "" if the server gave none.

    A part that a dropped connection left is kept beside `target` for the next run; any other failure, a full disk and
    Ctrl-C leave nothing. Raises Missing, InputError (too large), RemoteError (after retries, or a refusal) or
    ServiceError (disk full).
    """
    part, note = target.with_name(target.name + ".part"), target.with_name(target.name + ".part.json")
    try:
        with disk_errors(target.parent), client() as http:
            target.parent.mkdir(parents=True, exist_ok=True)
            kind = patiently(settings, name, lambda: _try(http, url, part, note, pace, name, limit))
            part.replace(target)
            note.unlink(missing_ok=True)
            return kind
    except RemoteError:
        if not note.exists():
            part.unlink(missing_ok=True)
        raise
    except BaseException:
        part.unlink(missing_ok=True)
        note.unlink(missing_ok=True)
        raise


def _try(http: httpx.Client, url: str, part: Path, note: Path, pace: Pace, name: str, limit: int) -> str:
    known = load(note, _Part)
    have = part.stat().st_size if known and known.url == url and part.exists() else 0
    headers = {"Range": f"bytes={have}-", "If-Range": known.mark} if known and have else {}
    try:
        with pace.turn(), http.stream("GET", url, headers=headers) as response:
            _judge(response, pace, part, name)
            if response.status_code == 206 and not _starts_at(response, have):
                part.unlink(missing_ok=True)
                raise Again("resumed at the wrong byte")
            _remember(response, url, part, note, fresh=response.status_code == 200)
            _write(response, part, have if response.status_code == 206 else 0, name, limit)
            return str(response.headers.get("Content-Type", ""))
    except httpx.TooManyRedirects as error:
        raise RemoteError(f"{name}: redirected in circles", where=url) from error
    except (httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
        raise RemoteError(f"{name}: redirected to an address that is none", where=url) from error
    except (httpx.ConnectError, httpx.ConnectTimeout) as error:
        raise Unreachable(f"no connection ({_told(error)})") from error
    except httpx.TimeoutException as error:
        raise Again("no answer in time") from error
    except httpx.TransportError as error:
        raise Again(f"the connection failed ({_told(error)})") from error


def _judge(response: httpx.Response, pace: Pace, part: Path, name: str) -> None:
    status = response.status_code
    where = str(response.url.copy_with(query=None))
    if status in {404, 410}:
        raise Missing(where)
    if status == 416:
        part.unlink(missing_ok=True)
        raise Again("the server lost its place")
    if status in PASSING:
        wait = retry_after(response.headers.get("Retry-After"))
        pace.hold(wait or 0.0)
        raise Again(f"HTTP {status}", wait)
    if status not in {200, 206}:
        raise RemoteError(f"{name}: refused with HTTP {status}", where=where, remedy="open the address in a browser")
    kind = response.headers.get("Content-Type", "")
    if _PAGE.match(kind):
        raise Again(f"the answer is {kind.partition(';')[0]}, a page and not the file")


def _starts_at(response: httpx.Response, offset: int) -> bool:
    match = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    return match is not None and int(match[1]) == offset


def _remember(response: httpx.Response, url: str, part: Path, note: Path, *, fresh: bool) -> None:
    """Keep the server's mark of this content, without which a part can't be resumed safely."""
    if not fresh:
        return
    etag = response.headers.get("ETag", "")
    mark = etag if etag and not etag.startswith("W/") else response.headers.get("Last-Modified", "")
    part.unlink(missing_ok=True)
    if mark:
        save(note, _Part(url=url, mark=mark))
    else:
        note.unlink(missing_ok=True)


def _write(response: httpx.Response, part: Path, have: int, name: str, limit: int) -> None:
    announced = response.headers.get("Content-Length", "")
    total, deadline = have, time.monotonic() + _SLOWEST
    _within(have + int(announced) if announced.isdecimal() else 0, name, limit)
    with part.open("ab") as file:
        for block in response.iter_raw():
            total += len(block)
            _within(total, name, limit)
            file.write(block)
            if time.monotonic() > deadline:
                raise Again("the bytes came too slowly")


def _within(size: int, name: str, limit: int) -> None:
    if size > limit:
        raise InputError(
            f"{name} is larger than {limit / 1e6:.0f} MB",
            remedy="download and unpack it yourself, then give the folder",
        )


def _told(error: Exception) -> str:
    return str(error).splitlines()[0][:120] if str(error) else type(error).__name__
