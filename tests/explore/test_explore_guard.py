"""Who is answered: foreign names and foreign forms are refused, and a token is asked for where others can reach us."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from explore.cli import _hosts, _is_loopback
from explore.guard import POLICY, Guard

LOCAL = "http://127.0.0.1:7480"


def client(*, hosts: set[str] | None, token: str | None = None, address: str = LOCAL) -> TestClient:
    routes = [Route("/", lambda _: PlainTextResponse("page"), methods=["GET", "POST"])]
    app = Starlette(routes=routes, middleware=[Middleware(Guard, hosts=hosts, token=token)])
    return TestClient(app, base_url=address, follow_redirects=False)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:7480", "127.0.0.1", "127.0.0.1:80", "localhost.evil:7480", ""]
)
def test_a_foreign_name_that_points_here_gets_nothing(host: str) -> None:
    answer = client(hosts=set(_hosts("127.0.0.1", 7480) or ())).get("/", headers={"host": host})
    assert (answer.status_code, "page" in answer.text) == (421, False)


@pytest.mark.parametrize("host", ["127.0.0.1:7480", "localhost:7480", "LOCALHOST:7480", "[::1]:7480"])
def test_our_own_names_are_answered_and_the_page_is_confined(host: str) -> None:
    answer = client(hosts=set(_hosts("127.0.0.1", 7480) or ())).get("/", headers={"host": host})
    assert answer.text == "page"
    assert answer.headers["content-security-policy"] == POLICY
    assert "unsafe" not in POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "headers",
    [{}, {"origin": "http://evil.example"}, {"origin": "null"}, {"origin": LOCAL, "sec-fetch-site": "cross-site"},
     {"origin": "http://127.0.0.1:9999"}, {"origin": LOCAL, "sec-fetch-site": "same-site"}],
)  # fmt: skip
def test_a_form_of_another_page_is_refused(headers: dict[str, str]) -> None:
    asking = client(hosts={"127.0.0.1:7480"})
    assert asking.post("/", headers=headers).status_code == 403
    assert asking.post("/", headers={"origin": LOCAL}).text == "page"


def test_beyond_loopback_a_token_is_asked_for_once() -> None:
    asking = client(hosts=None, token="sesame", address="http://10.0.0.7:7480")
    assert asking.get("/").status_code == 403
    assert asking.get("/?token=other").status_code == 403
    assert asking.get("/", headers={"cookie": "xkg_token=other"}).status_code == 403
    answer = asking.get("/?q=a+b&token=sesame")
    assert (answer.status_code, answer.headers["location"]) == (303, "/?q=a+b")
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "SameSite=strict" in answer.headers["set-cookie"]
    assert asking.get("/").text == "page"


def test_what_loopback_is() -> None:
    assert all(map(_is_loopback, ("127.0.0.1", "127.0.0.2", "::1", "localhost")))
    assert not any(map(_is_loopback, ("0.0.0.0", "::", "10.0.0.7", "example.org")))  # noqa: S104 -- refused
    assert _hosts("0.0.0.0", 1) is None  # noqa: S104 -- asks for a token
