"""Who is answered, and what a browser may do with the answer.

A page of the open web can make a browser ask a server of this machine: by a name of its own that it points here, which
the Host header shows, or by a form that it sends here, which the Origin header shows. Both are refused. Where the
server is reachable from other machines a token is asked for, given once in an address and kept in a cookie.
"""

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["POLICY", "Guard"]

COOKIE = "xkg_token"
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True)
class Guard:
    """ASGI middleware. `hosts` are the Host headers that are answered (None: all), `token` is asked for unless None."""

    app: ASGIApp
    hosts: Collection[str] | None
    token: str | None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what may be answered, with headers that confine the page."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def confined(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        refused = self._refusal(scope)
        await (refused or self.app)(scope, receive, confined)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if self.hosts is not None and host.lower() not in self.hosts:
            return PlainTextResponse("this server answers only to its own address", 421)
        if scope["method"] not in ("GET", "HEAD") and not _same_origin(headers, host):
            return PlainTextResponse("this form was not sent from this server's own pages", 403)
        return self._without_token(scope, headers) if self.token is not None else None

    def _without_token(self, scope: Scope, headers: Headers) -> Response | None:
        """The way to a cookie for whoever brings the token in the address; a refusal for whoever has neither."""
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = next((value for name, value in query if name == "token"), None)
        if given is not None and self._is_token(given):
            rest = urlencode([(name, value) for name, value in query if name != "token"])
            answer = RedirectResponse(scope["path"] + (f"?{rest}" if rest else ""), 303)
            answer.set_cookie(COOKIE, given, httponly=True, samesite="strict")
            return answer
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            cookie = None
        if cookie is None or not self._is_token(cookie.value):
            return PlainTextResponse("open the address that `xkg explore` printed: it holds the token", 403)
        return None

    def _is_token(self, given: str) -> bool:
        return secrets.compare_digest(given.encode(), (self.token or "").encode())


def _same_origin(headers: Headers, host: str) -> bool:
    origin = headers.get("origin")
    site = headers.get("sec-fetch-site", "same-origin")
    return site == "same-origin" and origin is not None and origin.partition("://")[2].lower() == host.lower()
