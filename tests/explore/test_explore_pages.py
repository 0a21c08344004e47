"""Each page shows what the commands show, errors are pages, and only a curator's own form changes the graph."""

import re
from urllib.parse import quote

import pytest
from explore_samples import seen
from starlette.testclient import TestClient

from kg.connection import Connection
from kg.store import Store

pytestmark = pytest.mark.db

PAPER = "arxiv:2001.00001"
TECHNIQUE = f"{PAPER}#t/reservoir-sampling"
CODE = "github:someone/repo1@c1:src/core.py#run"


def page(client: TestClient, path: str, **query: str) -> str:
    answer = client.get(path, params=query)
    assert answer.status_code == 200, answer.text
    found = seen(answer.text)
    assert found.foreign == []
    return found.text


def test_every_page_shows_its_part_of_the_graph(client: TestClient) -> None:
    assert "2001.00001" in page(client, "/")
    assert "Reservoir Sampling" in page(client, "/search", q="reservoir sampling")
    part = client.get("/search", params={"q": "reservoir sampling", "part": "1"}).text
    assert "<html" not in part
    paper = page(client, "/paper", id=PAPER)
    assert "Reservoir Sampling" in paper
    assert "Techniques" in paper
    technique = page(client, "/technique", id=TECHNIQUE)
    assert "Reservoir Sampling is defined here." in technique
    assert "def run():" in technique
    code = page(client, "/code", id=CODE)
    assert "unverified" in code
    assert "def run():" in code
    for node in (PAPER, TECHNIQUE, CODE):
        assert "Around" in page(client, "/near", id=node)
    assert "Does this code implement it?" in page(client, "/review")


def test_a_technique_without_a_place_in_its_paper_says_so(client: TestClient, connection: Connection) -> None:
    said = "No place of the paper is known."
    assert said not in page(client, "/technique", id=TECHNIQUE)
    connection.driver.execute_query("MATCH (:Technique {id: $id})-[r:DESCRIBED_IN]->() DELETE r", id=TECHNIQUE)
    assert said in page(client, "/technique", id=TECHNIQUE)


def test_an_abstract_has_no_line_ends_of_its_source(client: TestClient, connection: Connection) -> None:
    said = "Samples from\na long stream."
    connection.driver.execute_query("MATCH (p:Paper {id: $id}) SET p.abstract = $said", id=PAPER, said=said)
    assert '<p class="text">Samples from a long stream.</p>' in client.get(f"/paper?id={PAPER}").text


def test_a_page_has_no_marks_around_what_is_not_known(client: TestClient, connection: Connection) -> None:
    connection.driver.execute_query("MATCH (p:Paper) SET p.authors = [], p.year = null")
    for path in ("/", f"/paper?id={PAPER}"):
        text = client.get(path).text
        assert PAPER in text
        assert not re.search(r'class="(?:facts|quiet)">\s*·', text), path


def test_every_link_of_a_page_leads_to_a_page(client: TestClient) -> None:
    waiting, known = ["/"], {"/"}
    while waiting:
        answer = client.get(waiting.pop())
        assert answer.status_code == 200, answer.url
        links = {part.partition('"')[0].partition("#")[0] for part in answer.text.split('href="')[1:]}
        new = {link.replace("&amp;", "&") for link in links if link.startswith("/")} - known
        known |= new
        waiting += sorted(new)
    assert len(known) > 20


@pytest.mark.parametrize(
    "path",
    ["/paper?id=none", "/technique?id=", "/code?id=%00", "/near?id=none", "/no", "/static/../app.py", "/static/"],
)
def test_what_is_not_there_is_a_page_that_says_so(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert seen(answer.text).foreign == []


def test_a_long_name_is_not_repeated(client: TestClient) -> None:
    for path in ("/paper", "/technique", "/code", "/near"):
        answer = client.get(path, params={"id": "a" * 20_000})
        assert answer.status_code == 404
        assert len(answer.text) < 5_000


def test_strange_numbers_and_kinds_are_no_errors(client: TestClient) -> None:
    for after in ("-1", "x", "9" * 40, "²"):
        assert client.get("/", params={"after": after}).status_code == 200
    assert client.get("/review", params={"kind": "none", "after": "7"}).status_code == 200


def _item(text: str) -> str:
    return text.partition('name="item" value="')[2].partition('"')[0]


def test_who_only_reads_changes_nothing(client: TestClient, store: Store) -> None:
    assert "<form method" not in client.get("/review").text
    answer = client.post("/decide", data={"item": "x", "action": "accept"}, headers={"origin": "http://127.0.0.1:7480"})
    assert answer.status_code == 405


@pytest.mark.parametrize("action", ["accept", "reject"])
def test_a_curator_decides_by_a_form_of_his_own(curator: TestClient, connection: Connection, action: str) -> None:
    item = _item(curator.get("/review?kind=implementation").text)
    form = {"item": item, "action": action, "form_token": "the-form-token"}
    ours = {"origin": "http://127.0.0.1:7480"}
    decisions = "MATCH (d:Decision {item: $item}) RETURN d.who AS who, d.action AS action"

    for wrong, headers in (
        (form | {"form_token": "other"}, ours),
        (form, {"origin": "http://evil.example"}),
        (form, {}),
    ):
        assert curator.post("/decide", data=wrong, headers=headers).status_code == 403
    assert curator.post("/decide", data=form | {"action": "merge"}, headers=ours).status_code == 400
    assert curator.post("/decide", data=form | {"x": "y" * 20_000}, headers=ours).status_code == 413
    assert curator.get("/decide", params=form).status_code in (404, 405)
    assert connection.driver.execute_query(decisions, item=item).records == []

    answer = curator.post("/decide", data=form, headers=ours)
    assert answer.status_code == 200, "the queue, after a redirection"
    assert f"{action}: done" in answer.text
    assert item not in answer.text
    (decided,) = connection.driver.execute_query(decisions, item=item).records
    assert (decided["who"], decided["action"]) == ("me", action)
    assert "is not in the queue" in curator.post("/decide", data=form | {"item": "none"}, headers=ours).text


def test_the_address_of_a_page_says_what_it_shows(client: TestClient) -> None:
    text = client.get("/paper", params={"id": PAPER}).text
    assert f'href="/technique?id={quote(TECHNIQUE, safe="")}"' in text
