"""What each page shows, read by the functions that the commands use, and put into its template."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jinja2 import Environment

from explore.links import address, linked
from explore.picture import draw
from kg.body import in_order, passages
from kg.cli.common import IMPORTED
from kg.cli.show import technique_tree
from kg.cli.show_text import PARTS
from kg.cli.verdict_text import strength, verdict_lines
from kg.config import Settings
from kg.embeddings import Embedder
from kg.errors import InputError
from kg.lookup import find_node
from kg.markup import templates
from kg.printing import quoted
from kg.results.explore import Centre, NeighbourRow, PapersPage
from kg.results.piece import BodyPart
from kg.results.show import ImplementationRow, ListedTechnique, ShownCode, ShownPaper, ShownTechnique
from kg.review import Item, read_queue
from kg.search import SearchResult, search_kinds
from kg.search.believing import believed
from kg.search.describe import place
from kg.search.results import Implementation, SearchKind
from kg.similar import similar_papers, similar_techniques
from kg.store import Store
from kg.verdicts import open_logs

__all__ = ["Pages"]

PAPERS, ITEMS, HITS, ALIKE, NEIGHBOURS = 50, 20, 8, 8, 14
SHOWN_IN_FULL = 3
LONGEST_LOG = 200_000
KINDS: tuple[SearchKind, ...] = ("techniques", "code", "papers", "sections")


def _templates() -> Environment:
    environment = templates(Path(__file__).parent / "templates")
    environment.globals |= {
        "address": address, "linked": linked, "place": place, "strength": strength, "IMPORTED": IMPORTED,
        "PARTS": PARTS, "WEAK": WEAK,
    }  # fmt: skip
    return environment


WEAK = {"coined": "made of the paper's words, printed nowhere", "ordinary": "one ordinary word"}


@dataclass(frozen=True)
class Pages:
    """The pages of one graph. `form_token` is what a curator's forms carry, "" where the graph is only read."""

    store: Store
    settings: Settings
    embedder: Embedder
    form_token: str = ""
    templates: Environment = field(default_factory=_templates)

    def _page(self, template: str, **shown: Any) -> str:
        common = {"query": "", "curating": bool(self.form_token), "form_token": self.form_token}
        return self.templates.get_template(template).render({**common, **shown})

    def home(self, after: int) -> str:
        """The papers, so many at a time."""
        rows = self.store.rows(PapersPage, after=after, limit=PAPERS + 1)
        sure = self._borne_out([code for row in rows for code in row.verified])
        papers = [(row, len(sure.intersection(row.verified))) for row in rows[:PAPERS]]
        return self._page("home.html", papers=papers, after=after, size=PAPERS, more=len(rows) > PAPERS)

    def search(self, query: str, *, part: bool) -> str:
        """What answers a query, of all kinds; only the hits where a `part` is asked for."""
        found: tuple[SearchResult, ...] = ()
        if query.strip():
            found = search_kinds(self.store, self.embedder, KINDS, query, limit=HITS)
        results = believed(self.store, self.settings, found)
        return self._page("hits.html" if part else "search.html", query=query, results=results)

    def paper(self, named: str) -> str:
        """A paper: its technique tree beside what it says."""
        node = find_node(self.store, "Paper", named)
        (paper,) = self.store.rows(ShownPaper, id=node)
        tree = technique_tree(believed(self.store, self.settings, self.store.rows(ListedTechnique, paper=node)))
        parts = [(part, passages(part)) for part in in_order(self.store.rows(BodyPart, id=node))]
        pieces = [passage.id for _, said in parts for passage in said if passage.id]
        anchors = {piece.partition("#")[2].partition("/")[2]: piece for piece in pieces}
        alike = similar_papers(self.store, node, ALIKE)
        return self._page("paper.html", paper=paper, tree=tree, parts=parts, anchors=anchors, alike=alike)

    def technique(self, named: str) -> str:
        """A technique: what it is, where the paper says it, its code in full, the same elsewhere."""
        node = find_node(self.store, "Technique", named)
        (technique,) = self.store.rows(ShownTechnique, id=node)
        rows = believed(self.store, self.settings, self.store.rows(ImplementationRow, id=node))
        sure = [row for row in rows if row.standing != "candidate"]
        shown = [(row, self._code(row.id)) for row in sure[:SHOWN_IN_FULL]]
        rest = [*sure[SHOWN_IN_FULL:], *(row for row in rows if row.standing == "candidate")]
        alike = similar_techniques(self.store, node, ALIKE)
        return self._page("technique.html", technique=technique, implementations=shown, rest=rest, alike=alike)

    def code(self, named: str) -> str:
        """A piece of code with what its verdict rests on."""
        node = find_node(self.store, "Code", named)
        return self._page("code.html", unit=self._code(node))

    def _code(self, node: str) -> Mapping[str, Any]:
        (row,) = self.store.rows(ShownCode, id=node)
        shown = believed(self.store, self.settings, row)
        current = next((run for run in shown.executions if run.current), None)
        logs = open_logs(self.settings)
        log = ""
        if current and current.log and logs.has(current.log):
            log = self.store.blacklist.mask(logs.read(current.log))
        cut = f"…\n{log[-LONGEST_LOG:]}" if len(log) > LONGEST_LOG else log
        told = [line.strip() for line in verdict_lines(shown)][1:]
        rests = [line for line in told if not line.startswith(("not noticed: ", "log "))]
        return {"code": shown, "verdict": rests, "log": cut}

    def near(self, named: str) -> str:
        """What stands around a node, as a picture."""
        found = self.store.rows(Centre, id=named)
        if not found:
            raise InputError(f"the graph has no paper, technique, code, concept or repository {quoted(named)}")
        rows = self.store.rows(NeighbourRow, id=named, most=NEIGHBOURS)
        nodes: list[Centre | NeighbourRow] = [found[0], *rows]
        sure = self._borne_out([node.id for node in nodes if node.verdict == "verified"])
        doubted = {node.id for node in nodes if node.verdict == "verified"} - sure
        return self._page("near.html", picture=draw(found[0], rows, doubted), most=NEIGHBOURS)

    def _borne_out(self, verified: Sequence[str]) -> set[str]:
        """Of code that the graph calls verified, that whose verdict its execution and seal bear out."""
        claims = [
            Implementation(id=code, name="", place="", score=0.0, level="", verdict="verified", licence=None)
            for code in verified
        ]
        return {claim.id for claim in believed(self.store, self.settings, claims) if claim.verdict == "verified"}

    def review(self, kind: str, after: int, told: str) -> str:
        """What awaits a curator."""
        queue = read_queue(self.store)
        counts = {name: sum(item.kind == name for item in queue) for name in ("implementation", "name", "merge")}
        wanted: list[Item] = [item for item in queue if kind in ("", item.kind)]
        page = wanted[after : after + ITEMS]
        return self._page(
            "review.html", items=page, kind=kind, counts=counts, total=len(queue), after=after, size=ITEMS,
            more=len(wanted) > after + ITEMS, told=told,
        )  # fmt: skip

    def failure(self, title: str, told: str) -> str:
        """That a page can't be shown, and why."""
        return self._page("failure.html", title=title, told=told)
