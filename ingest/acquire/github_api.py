"""What GitHub's REST API says of a repository."""

from datetime import UTC, datetime
from typing import TypeVar

import httpx
from pydantic import BaseModel, ValidationError

from ingest.acquire.http import answer
from ingest.acquire.identifiers import GithubRef
from kg.config import Settings
from kg.errors import InputError, RemoteError
from kg.retrying import Again, patiently, retry_after

__all__ = ["Described", "describe", "find_commit"]

M = TypeVar("M", bound=BaseModel)


class _Licence(BaseModel):
    spdx_id: str | None


class _Forked(BaseModel):
    full_name: str


class Described(BaseModel):
    """A repository's own facts. `full_name` is its present name; `licence` an SPDX id, "unknown", or None for none.

    `fork` is None if nobody was asked; `parent` is what it was forked from, `source` the first of all it comes from.
    """

    full_name: str
    html_url: str
    license: _Licence | None = None
    fork: bool | None = None
    parent: _Forked | None = None
    source: _Forked | None = None

    @property
    def forked_from(self) -> tuple[str, ...] | None:
        """The names of `parent` and `source`; none if it is no fork, None if that is not known."""
        if self.fork is None or (self.fork and not self.parent):
            return None
        return tuple(dict.fromkeys(found.full_name for found in (self.parent, self.source) if found))

    @property
    def licence(self) -> str | None:
        """Its SPDX id; "unknown" for one that GitHub can't name."""
        found = self.license.spdx_id if self.license else None
        return "unknown" if found in {"NOASSERTION", ""} else found


class _Commit(BaseModel):
    sha: str


def describe(ref: GithubRef, settings: Settings) -> Described:
    """The facts of the repository `ref`, under whatever name it has now.

    Raises InputError if it is gone, private or blocked, RemoteError if it can't be asked.
    """
    return _read(Described, ref, _asked(ref, "", settings), settings)


def find_commit(ref: GithubRef, name: str, settings: Settings) -> str | None:
    """The full hash of the commit that `name` abbreviates, None if there is none. Raises as `describe`."""
    body = _asked(ref, f"/commits/{name}", settings)
    return _read(_Commit, ref, body, settings).sha if body else None


def _read(model: type[M], ref: GithubRef, body: bytes, settings: Settings) -> M:
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        raise RemoteError(
            f"GitHub's answer on {ref.full_name} can't be understood",
            where=settings.github.api,
            remedy="check XKG_GITHUB_API, or clone it yourself and give the folder",
        ) from error


def _asked(ref: GithubRef, path: str, settings: Settings) -> bytes:
    """The answer on `path` of the repository; nothing if GitHub has no such commit."""
    what, token = f"GitHub's facts of {ref.full_name}", settings.github.token
    headers = {"Accept": "application/vnd.github+json"}
    if token:
        headers["Authorization"] = f"token {token.get_secret_value()}"

    def attempt() -> bytes:
        url = f"{settings.github.api.rstrip('/')}/repos/{ref.full_name}{path}"
        response, body = answer(url, what, headers=headers)
        if response.status_code == 422 and path:  # "No commit found for SHA"
            return b""
        if response.status_code != 200:
            raise _refused(ref, response, body, settings)
        return body

    return patiently(settings, what, attempt)


def _refused(ref: GithubRef, response: httpx.Response, body: bytes, settings: Settings) -> Exception:
    status, headers = response.status_code, response.headers
    wait = retry_after(headers.get("retry-after"))
    used_up = headers.get("x-ratelimit-remaining") == "0" or b"API rate limit exceeded" in body
    if status in {403, 429} and wait is None and used_up:
        return _rate_limit(headers.get("x-ratelimit-reset", ""), settings)
    if status == 403 and wait is not None:
        return Again(f"HTTP {status}", wait)
    if status == 404:
        return InputError(
            f"GitHub has no repository {ref.full_name}, or it is private",
            remedy="check the name; for a private one set GITHUB_TOKEN",
        )
    if status == 401:
        return RemoteError("GitHub refuses the token", remedy="renew or unset GITHUB_TOKEN")
    if status == 451:
        return InputError(f"GitHub has blocked {ref.full_name} for legal reasons", remedy="look for another source")
    return RemoteError(f"GitHub refuses {ref.full_name} with HTTP {status}", remedy="open it in a browser to see why")


def _rate_limit(reset: str, settings: Settings) -> RemoteError:
    when = ""
    if reset.isdecimal():
        when = datetime.fromtimestamp(int(reset), UTC).strftime(" until %H:%M UTC")
    remedy = "run again then" if settings.github.token else "set GITHUB_TOKEN for a larger allowance, or run again then"
    return RemoteError(f"GitHub's allowance of requests is used up{when}", remedy=remedy)
