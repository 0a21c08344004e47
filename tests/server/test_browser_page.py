"""Neo4j Browser, the page the local server serves, in headless Chromium: it connects, shows our guide, runs its queries
and colours what they find."""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect, sync_playwright

from kg.config import Settings
from kg.connection import Connection
from kg.server.browser import browser_access

pytestmark = [pytest.mark.db, pytest.mark.browser]

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_MS = 120_000


@pytest.fixture
def page() -> Iterator[Page]:
    """A page of the system's Chromium that reaches nothing but this machine."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, headless=True, args=list(FLAGS))
        page = chromium.new_page(viewport={"width": 1300, "height": 1000})
        page.set_default_timeout(PATIENCE_MS)
        page.route(lambda url: "127.0.0.1" not in url, lambda route: route.abort())
        yield page
        chromium.close()


def log_in(page: Page, settings: Settings) -> None:
    """Go to the address of `xkg db browser` and give the password, as a person does; the guide opens by itself."""
    access = browser_access(settings, print)
    page.goto(access.url)
    expect(page.get_by_test_id("boltaddress")).to_have_value(access.uri.removeprefix("bolt://"))
    expect(page.get_by_test_id("username")).to_have_value(access.username)
    page.get_by_test_id("password").fill(access.password or "")
    page.get_by_test_id("connect").click()
    expect(page.get_by_text("Papers, techniques, code")).to_be_visible(timeout=PATIENCE_MS)


def run(page: Page, text: str) -> None:
    """Put a query into the editor and run it."""
    page.get_by_test_id("activeEditor").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(text)
    page.get_by_test_id("editor-Run").click()


def test_it_connects_and_shows_the_answer_of_our_query(
    connection: Connection, server_settings: Settings, page: Page
) -> None:
    connection.driver.execute_query("UNWIND range(1, 43) AS n CREATE (:Paper {id: 'p' + n})")
    connection.driver.execute_query("UNWIND range(1, 17) AS n CREATE (:Technique {id: 't' + n})")
    log_in(page, server_settings)

    run(page, "MATCH (n:Paper|Technique) RETURN head(labels(n)) AS label, count(*) AS count")
    answer = page.get_by_test_id("frame").filter(has=page.get_by_role("table")).first
    rows = answer.get_by_role("row")
    expect(rows.filter(has_text="Paper")).to_contain_text("43", timeout=PATIENCE_MS)
    expect(rows.filter(has_text="Technique")).to_contain_text("17")


def test_a_query_of_the_guide_shows_verdicts_by_colour(
    connection: Connection, server_settings: Settings, page: Page
) -> None:
    connection.driver.execute_query(
        "CREATE (p:Paper {id: 'local:p', title: 'P'})"
        "-[:HAS_TECHNIQUE]->(t:Technique {id: 'local:p#t/t', name: 'T', paper: 'local:p'}) "
        "CREATE (t)-[:IMPLEMENTED_BY]->(:Code:Verified {id: 'folder:p@1:a', name: 'good', verdict: 'verified'}) "
        "CREATE (t)-[:IMPLEMENTED_BY]->(:Code:Failed {id: 'folder:p@1:b', name: 'bad', verdict: 'failed'}) "
        "CREATE (t)-[:IMPLEMENTED_BY]->(:Code {id: 'folder:p@1:c', name: 'open', verdict: 'unverified'})"
    )
    log_in(page, server_settings)
    page.get_by_text("Next", exact=True).click()
    page.get_by_text("Next", exact=True).click()
    expect(page.get_by_text("For whoever reads papers")).to_be_visible()
    page.locator("pre.runnable", has_text="MATCH tree = (p)").click()
    page.get_by_test_id("editor-Run").click()

    def circle(name: str) -> Locator:
        return page.locator("g.node", has_text=name).locator("circle.b-outline")

    shades = {"good": "#2da44e", "bad": "#d1383d", "open": "#c9ccd1", "P": "#1f4e8c", "T": "#f5c453"}
    for name, shade in shades.items():
        expect(circle(name).first).to_have_attribute("fill", shade, timeout=PATIENCE_MS)
