"""What of HTML the pages may be made of, and a page taken apart."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

ADDRESS = "http://127.0.0.1:7480"
TAGS = frozenset(
    re.findall(
        r"\w+",
        "html head meta title link script body a header form input button nav main footer kbd h1 h2 h3 p ul "
        "ol li div span section article figure figcaption details summary pre code blockquote b svg line "
        "circle text math mrow mi mn mo mtext mspace mfrac msqrt mroot msub msup msubsup munder mover "
        "munderover mtable mtr mtd mstyle ",
    )
)


@dataclass
class Seen(HTMLParser):
    """What a page is made of that no page of ours is."""

    foreign: list[str] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.foreign += [tag] if tag not in TAGS else []
        for name, value in attrs:
            said = value or ""
            wrong = name.startswith("on") or name in ("style", "srcdoc", "formaction", "xlink:href")
            wrong |= name in ("href", "action") and not said.startswith(("/", "#", "https://", "http://"))
            wrong |= name == "src" and said != "/static/search.js"
            self.foreign += [f"{tag} {name}={said}"] if wrong else []

    def handle_data(self, data: str) -> None:
        self.text += data


def seen(page: str) -> Seen:
    """A page taken apart as a browser does."""
    parser = Seen()
    parser.feed(page)
    parser.close()
    return parser
