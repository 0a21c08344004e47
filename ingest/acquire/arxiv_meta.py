"""What arXiv says of a paper: its query API by the `arxiv` package, and OAI-PMH for the licence, which the API lacks.

The package's own retries and delays are switched off: it can't see Retry-After, and its delay knows nothing of other
processes. Ours sit in an adapter of its HTTP session, so that every request it makes takes its turn.
"""

import re
from collections.abc import Mapping
from typing import Any

import arxiv
import httpx
import requests
from requests.adapters import HTTPAdapter

from ingest.acquire.download import client
from ingest.acquire.identifiers import ArxivId, parse_arxiv
from ingest.acquire.models import PaperMeta
from ingest.acquire.pace import Pace
from ingest.acquire.retry import PASSING, Again, Unreachable, failed_request, patiently, retry_after
from kg.config import Settings
from kg.errors import InputError, RemoteError

__all__ = ["fetch_meta"]

_LICENCE = re.compile(rb"<license>\s*([^<\s]{1,200})\s*</license>")


class _Paced(HTTPAdapter):
    """Takes a turn for each request, and lets through only what is a whole feed."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        super().__init__()

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        options["timeout"] = (15, 60)
        try:
            with self._pace.turn():
                response = super().send(request, *args, **options)
                content = response.content
        except requests.RequestException as error:
            raise failed_request(error) from error
        if response.is_redirect:
            return response
        if response.status_code in PASSING:
            wait = retry_after(response.headers.get("Retry-After"))
            self._pace.hold(wait or 0.0)
            raise Again(f"HTTP {response.status_code}", wait)
        _check_feed(response, content)
        return response


def _check_feed(response: requests.Response, content: bytes) -> None:
    if b"<feed" not in content[:4096]:
        if response.status_code != 200:
            raise RemoteError(
                f"arXiv refused with HTTP {response.status_code}", where=_bare(response.url), remedy="try again later"
            )
        kind = response.headers.get("Content-Type", "of unknown type").partition(";")[0]
        raise Again(f"the answer is {kind}, a page and not a feed")
    if not content.rstrip().endswith(b"</feed>"):
        raise Again("the feed was cut short")
    if response.status_code == 400:
        response.status_code = 200  # arXiv's own error entry, which tells more than the number


def _bare(url: str) -> str:
    return url.partition("?")[0]


def fetch_meta(paper: ArxivId, settings: Settings, pace: Pace) -> tuple[PaperMeta, int, tuple[str, ...]]:
    """arXiv's words on `paper`, the number of the version they are on, and warnings.

    Raises InputError for an id that arXiv does not know, RemoteError if arXiv can't be asked or talks nonsense.
    """
    result = patiently(settings, f"arXiv's metadata of {paper}", lambda: _query(paper, settings, pace))
    if result is None:
        raise InputError(f"arXiv knows no paper {paper}", remedy="check the id, and the version if you gave one")
    if "/api/errors" in result.entry_id:
        raise InputError(f"arXiv refuses the id {paper}: {result.summary.strip()}", remedy="check the id")
    found = parse_arxiv(result.get_short_id())
    if found is None or found.version is None or found.id != paper.id:
        raise RemoteError(f"arXiv answered with {result.entry_id!r} when asked for {paper}", remedy="try again later")
    licence, warnings = _licence(found, settings, pace)
    return _meta(found, result, licence), found.version, warnings


def _query(paper: ArxivId, settings: Settings, pace: Pace) -> arxiv.Result | None:
    api = arxiv.Client(page_size=1, delay_seconds=0, num_retries=0)
    api.query_url_format = settings.arxiv.api + "?{}"
    with api._session as session:
        session.mount("http://", _Paced(pace))
        session.mount("https://", _Paced(pace))
        try:
            return next(iter(api.results(arxiv.Search(id_list=[str(paper)], max_results=1))), None)
        except arxiv.HTTPError as error:
            raise RemoteError(f"arXiv refused with HTTP {error.status}", where=_bare(error.url)) from error
        except (arxiv.ArxivError, requests.RequestException, ValueError) as error:
            raise Again(f"the answer can't be read ({type(error).__name__})") from error


def _meta(found: ArxivId, result: arxiv.Result, licence: str | None) -> PaperMeta:
    return PaperMeta(
        arxiv=found.id,
        title=_line(result.title),
        abstract=_line(result.summary),
        authors=tuple(_line(author.name) for author in result.authors),
        year=result.published.year,
        published=result.published.date().isoformat(),
        updated=result.updated.date().isoformat(),
        primary_category=result.primary_category,
        categories=tuple(result.categories),
        comment=_line(result.comment or ""),
        doi=(result.doi or "").strip() or None,
        journal_ref=_line(result.journal_ref or ""),
        licence=licence,
        url=f"https://arxiv.org/abs/{found}",
    )


def _line(text: str) -> str:
    return " ".join(text.split())


def _licence(found: ArxivId, settings: Settings, pace: Pace) -> tuple[str | None, tuple[str, ...]]:
    if not settings.arxiv.oai:
        return None, ()
    query = {"verb": "GetRecord", "metadataPrefix": "arXivRaw", "identifier": f"oai:arXiv.org:{found.id}"}
    try:
        body = patiently(settings, "arXiv's licence record", lambda: _get(settings.arxiv.oai, query, pace), tries=2)
    except RemoteError as error:
        return None, (f"the licence of {found} is not known: {error.what}",)
    match = _LICENCE.search(body)
    return (match[1].decode("utf-8", "replace") if match else None), ()


def _get(url: str, query: Mapping[str, str], pace: Pace) -> bytes:
    try:
        with pace.turn(), client() as http:
            response = http.get(url, params=dict(query))
    except (httpx.ConnectError, httpx.ConnectTimeout) as error:
        raise Unreachable("no connection") from error
    except httpx.HTTPError as error:
        raise Again("the connection failed or was cut") from error
    if response.status_code in PASSING:
        wait = retry_after(response.headers.get("Retry-After"))
        pace.hold(wait or 0.0)
        raise Again(f"HTTP {response.status_code}", wait)
    if response.status_code != 200 or b"<OAI-PMH" not in response.content:
        raise RemoteError(f"it was refused with HTTP {response.status_code}")
    return response.content
