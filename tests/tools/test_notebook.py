"""`kg.open()` in a notebook: three lines, what they show, and what they keep to themselves."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from IPython.core.formatters import DisplayFormatter
from nbclient import NotebookClient
from tools.conftest import CLAIMED, HITTERS, QUERY, RESERVOIR, TECHNIQUE, UNLICENSED, VERIFIED

import kg
from kg.errors import AbsentError, InputError
from kg.notebook import Graph, Listed
from kg.store import Store

pytestmark = pytest.mark.db

ROOT = Path(__file__).parent.parent.parent
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
TAG = re.compile("<[^>]*>")
WITHHELD = "is withheld: its source states no licence (verdict: unverified)"


@pytest.fixture
def graph(tool_graph: Store) -> Iterator[Graph]:
    with kg.open() as opened:
        yield opened


@pytest.fixture(scope="module")
def shown() -> Callable[[Any], dict[str, str]]:
    """What Jupyter gets of an object, by its kind of content."""
    formatter = DisplayFormatter()

    def of(thing: Any) -> dict[str, str]:
        found, _ = formatter.format(thing)
        return dict(found)

    return of


def test_the_code_of_a_technique_comes_with_text_verdict_and_licence(
    graph: Graph, shown: Callable[[Any], dict[str, str]]
) -> None:
    code = graph.technique(TECHNIQUE).code
    assert [one.id.endswith(VERIFIED) for one in code] == [True]
    assert code[0].text.startswith("class Reservoir")
    assert (code[0].verdict, code[0].licence, code[0].row.standing) == ("verified", "MIT", "asserted")
    page = shown(code)["text/html"]
    for told in ("verified</b>", "MIT", "class</span>", "Reservoir", "streamsample/reservoir.py:8-25"):
        assert told in page
    assert "verified · MIT" in shown(code)["text/plain"]


def test_a_technique_shows_its_definition_and_equations(graph: Graph, shown: Callable[[Any], dict[str, str]]) -> None:
    skip = graph.technique("skip-sampling")
    assert skip.name == "Skip sampling"
    assert skip.definition
    assert skip.equations
    seen = shown(skip)
    assert "<math" in seen["text/html"]
    assert skip.definition.split()[0] in seen["text/html"]
    assert seen["text/plain"].startswith("Skip sampling\n")
    assert repr(skip) == f"<Technique {RESERVOIR}#t/skip-sampling>"
    assert {"definition", "aliases", "code", "likely"} <= set(dir(skip))
    assert skip.paper.id == RESERVOIR


def test_a_paper_shows_its_tree_with_verdicts(graph: Graph, shown: Callable[[Any], dict[str, str]]) -> None:
    paper = graph.paper("reservoir")
    page = shown(paper)["text/html"]
    assert page.count("<ul>") >= 2
    assert "verified</b> · MIT" in page
    shown(paper.techniques)
    assert not any("facts" in vars(technique) for technique in paper.techniques), "a list costs one question"
    names = [technique.name for technique in paper.techniques]
    assert "Reservoir sampling" in names
    assert len(names) == len({one.id for one in paper.techniques})
    assert {RESERVOIR, HITTERS} <= {one.id for one in graph.papers}
    assert RESERVOIR in shown(graph.papers)["text/html"]


def test_a_search_says_why_and_nothing_where_nothing_is_near(
    graph: Graph, shown: Callable[[Any], dict[str, str]]
) -> None:
    hits = graph.search(QUERY)
    assert TECHNIQUE in {hit.id for hit in hits}
    page, text = shown(hits)["text/html"], shown(hits)["text/plain"]
    assert "verified</b> · MIT" in page
    assert "why: " in text
    nothing = graph.search("mitochondrial ribosome biogenesis in yeast")
    assert not nothing
    assert "Nothing near among" in shown(nothing)["text/html"]


def test_like_techniques_and_papers(graph: Graph) -> None:
    like = graph.similar(TECHNIQUE)
    assert f"{HITTERS}#t/reservoir-sampling" in {one.id for one in like}
    assert graph.similar(graph.technique(TECHNIQUE)) == like
    assert RESERVOIR not in {one.id for one in graph.similar(graph.paper("reservoir"))}


def test_what_states_no_licence_keeps_its_text(graph: Graph, shown: Callable[[Any], dict[str, str]]) -> None:
    code = graph.code(UNLICENSED)
    with pytest.raises(AbsentError, match="states no licence") as told:
        _ = code.text
    assert WITHHELD in str(told.value)
    body = "self.rows"
    for said in (*shown(code).values(), str(code), str(code.facts), *shown(Listed([code])).values()):
        assert body not in TAG.sub("", said)
    assert WITHHELD in shown(code)["text/html"]
    assert WITHHELD in shown(code)["text/plain"]
    with kg.open(unlicensed=True) as mine:
        assert body in mine.code(UNLICENSED).text
        assert body in TAG.sub("", shown(mine.code(UNLICENSED))["text/html"])


def test_a_verdict_that_anybody_wrote_is_not_shown(graph: Graph, shown: Callable[[Any], dict[str, str]]) -> None:
    code = graph.code(CLAIMED)
    assert code.verdict == "unverified"
    assert ">verified<" not in shown(code)["text/html"]
    assert "called verified, but" in shown(code)["text/plain"]


def test_what_is_not_there_is_told_in_one_sentence_with_the_nearest(graph: Graph) -> None:
    for named, told in (
        ("Reservoir sampling", "can mean several: "),
        ("reservoir sampling of trees", "near it are "),
        ("zyxwv", "the graph has no technique 'zyxwv'"),
    ):
        with pytest.raises(InputError, match=told) as error:
            graph.technique(named)
        (line,) = error.value._render_traceback_()
        assert line == f"xkg: {error.value}"


def test_a_closed_graph_says_so(tool_graph: Store) -> None:
    with kg.open() as graph:
        technique = graph.technique(TECHNIQUE)
    with pytest.raises(InputError, match="was closed; open it again"):
        _ = technique.definition


def test_a_real_notebook_runs(tool_graph: Store, tmp_path: Path) -> None:
    (readme,) = BLOCK.findall((ROOT / "README.md").read_text())
    assert BLOCK.findall((ROOT / "docs/notebooks.md").read_text())[0] == readme
    cells = (
        *filter(None, readme.splitlines()),
        f"graph.code({UNLICENSED!r})",
        f"graph.search({QUERY!r}, limit=3)",
        "graph.technique('zyxwv')",
        "graph.close()",
    )
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(book, timeout=120, kernel_name="python3", allow_errors=True).execute(cwd=str(tmp_path))
    outputs = [cell.outputs for cell in book.cells]
    assert "verified</b>" in outputs[2][0].data["text/html"]
    assert WITHHELD in outputs[3][0].data["text/html"]
    assert "MIT" in outputs[4][0].data["text/plain"]
    (failed,) = outputs[5]
    assert failed.traceback == [f"xkg: {failed.evalue}"]
    assert [outputs[place] for place in (0, 1, 6)] == [[], [], []]
