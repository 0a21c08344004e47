"""The server of the pages: addresses, errors as pages, the curator's forms, static files of our own."""

import functools
import secrets
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import parse_qs, urlencode

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from explore.guard import Guard
from explore.pages import Pages
from kg.errors import DatabaseError, InputError, ServiceError, XkgError
from kg.opening import revive
from kg.review import Action, Word, decide_all

__all__ = ["make_app"]

LONGEST_FORM = 10_000
DECISIONS: dict[str, Action] = {"accept": "accept", "reject": "reject"}


def make_app(
    pages: Pages, *, hosts: Collection[str] | None, token: str | None = None, curator: str | None = None
) -> Starlette:
    """The application. `hosts` are the Host headers that it answers (None: all), `token` is asked for unless None;
    `curator` is who decides, None where the graph is only read.
    """

    def shown(show: Callable[[Request], str]) -> Callable[[Request], Response]:
        @functools.wraps(show)
        def answer(request: Request) -> Response:
            try:
                return HTMLResponse(_read(pages, lambda: show(request)))
            except XkgError as error:
                return _failure(pages, error)

        return answer

    def after(request: Request) -> int:
        given = request.query_params.get("after", "0")
        return min(int(given), 1_000_000_000) if given.isascii() and given.isdecimal() else 0

    def named(request: Request) -> str:
        return request.query_params.get("id", "")

    def review(request: Request) -> str:
        asked = request.query_params
        return pages.review(asked.get("kind", ""), after(request), asked.get("told", ""))

    async def decide(request: Request) -> Response:
        if curator is None:
            raise HTTPException(405)
        body = b""
        async for piece in request.stream():
            body += piece
            if len(body) > LONGEST_FORM:
                raise HTTPException(413)
        form = {name: values[-1] for name, values in parse_qs(body.decode("utf-8", "replace")).items()}
        if not secrets.compare_digest(form.get("form_token", "").encode(), pages.form_token.encode()):
            return HTMLResponse(pages.failure("Refused", "this form is not of this server, or of a former one"), 403)
        if form.get("action") not in DECISIONS:
            return HTMLResponse(pages.failure("Refused", "this is no decision"), 400)
        word = Word(item=form.get("item", ""), action=DECISIONS[form["action"]])
        try:
            told = await run_in_threadpool(_decided, pages, word, curator)
        except XkgError as error:
            return _failure(pages, error)
        back = {"kind": form.get("kind", ""), "after": form.get("after", "0"), "told": told}
        return RedirectResponse(f"/review?{urlencode(back)}", 303)

    def missing(_request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        return HTMLResponse(pages.failure(f"{status}", "there is no such page, or not this way"), status)

    routes = [
        Route("/", shown(lambda request: pages.home(after(request)))),
        Route("/search", shown(lambda request: _search(pages, request))),
        Route("/paper", shown(lambda request: pages.paper(named(request)))),
        Route("/technique", shown(lambda request: pages.technique(named(request)))),
        Route("/code", shown(lambda request: pages.code(named(request)))),
        Route("/near", shown(lambda request: pages.near(named(request)))),
        Route("/review", shown(review)),
        Route("/decide", decide, methods=["POST"]),
        Mount("/static", StaticFiles(directory=Path(__file__).parent / "static")),
    ]
    guard = Middleware(Guard, hosts=None if hosts is None else frozenset(hosts), token=token)
    return Starlette(routes=routes, middleware=[guard], exception_handlers={HTTPException: missing})


def _search(pages: Pages, request: Request) -> str:
    asked = request.query_params
    return pages.search(asked.get("q", ""), part="part" in asked)


def _read(pages: Pages, show: Callable[[], str]) -> str:
    """A page; where the graph has gone and is a local server's, that is started and asked once more."""
    try:
        return show()
    except DatabaseError:
        if not revive(pages.settings):
            raise
        return show()


def _failure(pages: Pages, error: XkgError) -> Response:
    status = 404 if isinstance(error, InputError) else 503 if isinstance(error, ServiceError) else 500
    return HTMLResponse(pages.failure("Not found" if status == 404 else "Not now", str(error)), status)


def _decided(pages: Pages, word: Word, curator: str) -> str:
    """Apply one decision; what became of it, in words."""
    when = datetime.now(UTC).isoformat(timespec="seconds")
    (applied,) = decide_all(pages.store, [word], who=curator, when=when)
    return f"{applied.action}: {applied.error or applied.result}"
