"""What Neo4j Browser is given at its first sight of our graph: a style, and a guide whose queries are run by a click.

Neo4j tells Browser by its configuration which of Browser's own commands to carry out once connected. A style fits into
such a command. A guide does not, and Browser fetches it from an address: the supervisor serves it on loopback. Browser
keeps favourites where only pages of its own address can write, so that saved queries are in the guide.
"""

import html
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources

import cypher

__all__ = ["ServedGuide", "browser_conf", "guide_page", "serve_guide", "style"]

HOST = "127.0.0.1"
MARGIN = 'style="padding:0 1em"'
SLIDES = (
    ("For whoever writes an agent", ("verified_pairs", "verdict_table")),
    ("For whoever reads papers", ("technique_tree", "where_told", "shared_techniques", "citations")),
    ("For whoever curates", ("waiting",)),
)
COLOURS = (
    ("#1f4e8c", "a paper; works that are only cited are small and faint"),
    ("#f5c453", "a technique; its parts hang on it"),
    ("#a371c9", "a concept: the same technique in several papers"),
    ("#2da44e", "code that is verified: it ran here, and its test notices wrong code"),
    ("#d1383d", "code that failed"),
    ("#e38b2c", "code whose verdict is stale: something changed since"),
    ("#c9ccd1", "code that is unverified: nothing was run, or nothing that counts"),
)


def style() -> str:
    """The style as Browser's `:style` takes it, in one line: JSON, as semicolons would end the command."""
    text = (resources.files(__package__) / "style.json").read_text("utf-8")
    return json.dumps(json.loads(text), separators=(",", ":"))


def browser_conf(address: str | None) -> str:
    """Lines of neo4j.conf that make Browser put on the style and, if it has an address, open the guide."""
    commands = [f"style {style()}", "clear", *([f"guide {address}"] if address else [])]
    return f"browser.remote_content_hostname_whitelist={HOST}\nbrowser.post_connect_cmd={'; '.join(commands)}\n"


def guide_page() -> str:
    """The guide, in the form that Browser takes apart into slides."""
    return f'<article class="guide"><title>xkg</title><carousel class="deck">{"".join(_slides())}</carousel></article>'


def _slides() -> Iterator[str]:
    spot = '<span style="background:{};display:inline-block;width:1em;height:1em;border-radius:1em"></span> {}'
    colours = "".join(f"<li>{spot.format(colour, html.escape(told))}</li>" for colour, told in COLOURS)
    shades = '<li>a thick edge is asserted, a thin grey one only "likely" or a "candidate"</li>'
    yield (
        f"<slide><div {MARGIN}><h3>Papers, techniques, code</h3><p>On the next pages a click on a query puts it into "
        f'the editor.</p><ul style="list-style:none;padding:0">{colours}{shades}</ul></div></slide>'
    )
    for title, names in SLIDES:
        yield f"<slide><div {MARGIN}><h3>{html.escape(title)}</h3>{''.join(map(_query, names))}</div></slide>"


def _query(name: str) -> str:
    query = cypher.query(f"browser/{name}")
    code = "\n".join(line for line in query.text.splitlines() if not line.startswith("//"))
    return f'<p>{html.escape(query.purpose)}</p><pre class="pre-scrollable code runnable">{html.escape(code)}</pre>'


@dataclass(frozen=True)
class ServedGuide:
    """The guide's address on loopback; answered once started, for as long as this process lives."""

    address: str
    start: Callable[[], None]


def serve_guide() -> ServedGuide:
    """Take a free port for the guide. Raises OSError if there is none."""
    page = guide_page().encode()

    class Guide(BaseHTTPRequestHandler):
        """The guide at any path, for a page of any address: there is nothing secret in it."""

        def _answer(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(page)))
            self.send_header("Access-Control-Allow-Origin", "*")
            self.send_header("Access-Control-Allow-Headers", "*")
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            self._answer(page)

        def do_HEAD(self) -> None:
            self._answer(b"")

        def do_OPTIONS(self) -> None:
            self._answer(b"")

        def log_message(self, *_: object) -> None:
            """Nothing: the log is the server's."""

    server = ThreadingHTTPServer((HOST, 0), Guide)
    address = f"http://{HOST}:{server.server_address[1]}/guide.html"
    return ServedGuide(address, threading.Thread(target=server.serve_forever, daemon=True).start)
