"""Neo4j Browser, the page the local server serves, in headless Chromium: it connects and runs a query of ours."""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect, sync_playwright

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


def test_it_connects_and_shows_the_answer_of_our_query(
    connection: Connection, server_settings: Settings, page: Page
) -> None:
    connection.driver.execute_query("UNWIND range(1, 43) AS n CREATE (:Paper {id: 'p' + n})")
    connection.driver.execute_query("UNWIND range(1, 17) AS n CREATE (:Technique {id: 't' + n})")
    access = browser_access(server_settings, print)

    page.goto(access.url)
    expect(page.get_by_test_id("boltaddress")).to_have_value(access.uri.removeprefix("bolt://"))
    expect(page.get_by_test_id("username")).to_have_value(access.username)
    page.get_by_test_id("password").fill(access.password or "")
    page.get_by_test_id("connect").click()
    expect(page.get_by_text("You are connected as user neo4j")).to_be_visible(timeout=PATIENCE_MS)

    page.get_by_test_id("activeEditor").click()
    page.keyboard.insert_text("MATCH (n:Paper|Technique) RETURN head(labels(n)) AS label, count(*) AS count")
    page.get_by_test_id("editor-Run").click()
    answer = page.get_by_test_id("frame").filter(has=page.get_by_role("table")).first
    rows = answer.get_by_role("row")
    expect(rows.filter(has_text="Paper")).to_contain_text("43", timeout=PATIENCE_MS)
    expect(rows.filter(has_text="Technique")).to_contain_text("17")
