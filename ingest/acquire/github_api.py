"""What GitHub's REST API says of a repository, asked by PyGithub."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeVar

import github
import requests

from ingest.acquire.identifiers import GithubRef
from ingest.acquire.retry import PASSING, Again, failed_request, patiently, retry_after
from kg.config import Settings
from kg.errors import InputError, RemoteError
from kg.models.paper import Model

__all__ = ["Described", "RateLimitError", "describe", "find_commit"]

T = TypeVar("T")


class RateLimitError(RemoteError):
    """GitHub's allowance of requests is used up until a moment that it names."""


class Described(Model):
    """A repository's own facts. `full_name` is its present name; `licence` an SPDX id, "unknown", or None for none."""

    full_name: str
    url: str
    licence: str | None
    default_branch: str
    archived: bool = False


def describe(ref: GithubRef, settings: Settings) -> Described:
    """The facts of the repository `ref`, under whatever name it has now.

    Raises InputError if it is gone, private or blocked, RateLimitError, or RemoteError.
    """

    def ask(api: github.Github) -> Described:
        found = api.get_repo(ref.full_name)
        licence = found.license.spdx_id if found.license else None
        return Described(
            full_name=found.full_name,
            url=found.html_url,
            licence="unknown" if licence in {"NOASSERTION", ""} else licence,
            default_branch=found.default_branch,
            archived=found.archived,
        )

    return _asked(ref, settings, ask)


def find_commit(ref: GithubRef, name: str, settings: Settings) -> str | None:
    """The full hash of the commit that `name` abbreviates, None if there is none. Raises as `describe`."""

    def ask(api: github.Github) -> str | None:
        try:
            return api.get_repo(ref.full_name).get_commit(name).sha
        except github.GithubException as error:
            if error.status == 422:  # "No commit found for SHA"
                return None
            raise

    return _asked(ref, settings, ask)


def _asked(ref: GithubRef, settings: Settings, ask: Callable[[github.Github], T]) -> T:
    token = settings.github.token
    auth = github.Auth.Token(token.get_secret_value()) if token else None

    def attempt() -> T:
        try:
            with github.Github(
                auth=auth, base_url=settings.github.api, retry=None, timeout=20, seconds_between_requests=None
            ) as api:
                return ask(api)
        except github.GithubException as error:
            raise _told(ref, error, settings) from error
        except requests.RequestException as error:
            raise failed_request(error) from error
        except (ValueError, RuntimeError, AssertionError, KeyError, TypeError) as error:
            raise RemoteError(
                f"GitHub's answer on {ref.full_name} can't be understood ({type(error).__name__})",
                where=settings.github.api,
                remedy="check XKG_GITHUB_API, or clone it yourself and give the folder",
            ) from error

    return patiently(settings, f"GitHub's facts of {ref.full_name}", attempt)


def _told(ref: GithubRef, error: github.GithubException, settings: Settings) -> Exception:
    status, headers = error.status, {key.lower(): value for key, value in (error.headers or {}).items()}
    wait = retry_after(headers.get("retry-after"))
    used_up = headers.get("x-ratelimit-remaining") == "0" or isinstance(error, github.RateLimitExceededException)
    if status in {403, 429} and wait is None and used_up:
        return _rate_limit(headers.get("x-ratelimit-reset", ""), settings)
    if status in PASSING or (status == 403 and wait is not None):
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


def _rate_limit(reset: str, settings: Settings) -> RateLimitError:
    when = ""
    if reset.isdecimal():
        when = datetime.fromtimestamp(int(reset), UTC).strftime(" until %H:%M UTC")
    remedy = "run again then" if settings.github.token else "set GITHUB_TOKEN for a larger allowance, or run again then"
    return RateLimitError(f"GitHub's allowance of requests is used up{when}", remedy=remedy)
