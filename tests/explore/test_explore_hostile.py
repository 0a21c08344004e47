"""Text of papers, code, files, logs and ids stays text, on every page and in a real browser."""

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

import pytest
from explore_samples import ADDRESS, seen
from judgements import RUN, ask, evidence, execution, judgement, text_of
from starlette.testclient import TestClient

from explore.app import make_app
from explore.cli import _listening
from explore.pages import Pages
from kg.config import Settings
from kg.connection import Connection
from kg.embeddings import Embedder
from kg.store import Store
from kg.verdicts import open_logs, write_judgement

pytestmark = pytest.mark.db

PAPER = "arxiv:2001.00001"
HOSTILE = (
    "<script>document.title='owned'</script>",
    "\"><img src=x onerror=document.title='owned'>",
    "' onmouseover='document.title=1' x='",
    "</pre></code></title></textarea><svg onload=document.title='owned'>",
    "{{ 7 * 7 }}{% raw %}${7*7}<!--",
    "javascript:document.title='owned'",
    r"$\text{<img src=x onerror=document.title='owned'>}$ \href{javascript:alert(1)}{x}",
)
TEXTS = {
    "Paper": ("title", "name", "abstract", "url", "comment", "licence"),
    "Section": ("title", "name", "text", "number"),
    "Equation": ("latex", "name", "text"),
    "Technique": ("name", "definition", "kind"),
    "Code": ("name", "symbol", "signature", "implementation", "documentation", "file", "licence", "url", "language",
             "verdict_reason", "test", "origin"),
    "Repository": ("name", "url", "licence"),
    "Concept": ("name",),
}  # fmt: skip


def poison(connection: Connection, text: str, settings: Settings, store: Store) -> None:
    """Put a hostile text wherever a page shows one, a log and an id among them."""
    logs, code = open_logs(settings), text_of(connection, RUN)
    failed = execution(logs, code, exit_code=1, log=logs.put(text))
    write_judgement(store, judgement(RUN, failed, verdict="failed", reason=text), evidence(code), logs)
    for label, names in TEXTS.items():
        for name in names:
            ask(connection, f"MATCH (n:{label}) SET n.{name} = $text", text=text)
    ask(connection, "MATCH (p:Paper) SET p.authors = [$text]", text=text)
    ask(connection, "MATCH (t:Technique) SET t.aliases = [$text]", text=text)
    ask(connection, "MATCH ()-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->() SET r.reason = $text", text=text)
    made = (
        "MATCH (t:Technique {id: $technique}) CREATE (t)-[:IMPLEMENTED_BY {score: 1.0}]->(:Code {id: $id, name: $text})"
    )
    ask(connection, made, technique=f"{PAPER}#t/reservoir-sampling", id=f"folder:evil@1:{text}#f", text=text)


def addresses(connection: Connection, text: str) -> Iterator[str]:
    yield from ("/", "/review", f"/search?{urlencode({'q': text})}", f"/search?{urlencode({'q': text, 'part': 1})}")
    for label, path in (("Paper", "/paper"), ("Technique", "/technique"), ("Code", "/code")):
        for node in ask(connection, f"MATCH (n:{label}) RETURN n.id"):
            yield from (f"{path}?{urlencode({'id': node})}", f"/near?{urlencode({'id': node})}")
    yield from (f"/paper?{urlencode({'id': text})}", f"/review?{urlencode({'told': text, 'kind': text})}")


@pytest.mark.parametrize("text", [" ".join(HOSTILE), HOSTILE[5]], ids=["all in one", "an address"])
def test_hostile_text_stays_text(
    text: str, client: TestClient, small: Store, connection: Connection, server_settings: Settings
) -> None:
    poison(connection, text, server_settings, small)
    told = 0
    for address in addresses(connection, text):
        answer = client.get(address)
        assert answer.status_code in (200, 404), address
        found = seen(answer.text)
        assert found.foreign == [], address
        assert "49" not in found.text or "7 * 7" not in text or "49" in text, "no template inside a text is carried out"
        told += text[:12] in found.text
    assert told > 6, "it is shown"


@contextmanager
def served(pages: Pages) -> Iterator[str]:
    """The pages on a port of loopback."""
    import uvicorn

    with _listening("127.0.0.1", 0) as listening:
        host = f"127.0.0.1:{listening.getsockname()[1]}"
        config = uvicorn.Config(make_app(pages, hosts={host}), log_level="error", lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            yield f"http://{host}"
        finally:
            server.should_exit = True
            thread.join(30)


@pytest.mark.browser
def test_a_browser_runs_nothing_fetches_nothing_and_searches_as_one_types(
    small: Store, connection: Connection, server_settings: Settings, embedder: Embedder
) -> None:
    from playwright.sync_api import expect, sync_playwright

    poison(connection, HOSTILE[1], server_settings, small)
    ask(connection, "MATCH (t:Technique {id: $id}) SET t.name = 'Plain name'", id=f"{PAPER}#t/reservoir-sampling")
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with served(Pages(small, server_settings, embedder)) as base, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, headless=True, args=["--no-sandbox"])
        page = chromium.new_page(viewport={"width": 400, "height": 800})
        page.set_default_timeout(120_000)
        asked, said = [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        for address in addresses(connection, HOSTILE[1]):
            page.goto(base + address)
            assert page.title() != "owned"
            assert page.evaluate("document.documentElement.scrollWidth") <= 400, address
        assert [url for url in asked if not url.startswith(base)] == []
        assert [text for text in said if "Content Security Policy" in text] == []
        page.goto(f"{base}/search?q=")
        page.locator("main").click()
        page.keyboard.press("/")
        page.keyboard.type("Plain name")
        expect(page.locator("#hits a.title").first).to_have_text("Plain name", timeout=120_000)
        assert page.url.endswith("q=Plain+name")
        page.locator("#hits a.title").first.click()
        expect(page.locator("h1")).to_have_text("Plain name")
        chromium.close()
    assert ADDRESS not in "".join(asked)
