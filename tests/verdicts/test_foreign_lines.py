"""Whatever an edited export says, what this home did not write is told, marked, and asserts nothing."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from exports import Item, edited
from judgements import RUN, STEP, ask, verify
from store_records import paper

from kg.audit import audit_graph
from kg.backup import export_graph, import_graph
from kg.cli.graph import graph_export, graph_import
from kg.cli.search import hit_text
from kg.cli.show import code_show, paper_show, technique_show
from kg.connection import Connection
from kg.results.search import DescribedTechnique
from kg.search.describe import SPECS
from kg.search.results import Evidence
from kg.store import Store
from kg.verdicts import LogStore
from kg.write import write_paper

pytestmark = pytest.mark.db

PAPER = "arxiv:2001.00001"
SAMPLING, METHOD = f"{PAPER}#t/reservoir-sampling", f"{PAPER}#t/paper-1-method"
HELPER = RUN.replace("#run", "#helper1")
HOME = "github:someone/repo1"
ASSERTED = f"IMPLEMENTED_BY {SAMPLING} -> {RUN}"
IMPORTED = "MATCH (n) WHERE n.extraction_method = 'import' RETURN n.id"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def logs(home: Path) -> LogStore:
    return LogStore(home / "logs")


@pytest.fixture
def own(store: Store, connection: Connection, logs: LogStore, home: Path) -> Path:
    """This home's export of a paper whose unit RUN is verified and asserted, made once."""
    file = home / "own.jsonl"
    if not file.exists():
        record = paper()
        record = record.model_copy(update={"extras": {PAPER: {"ingest_fingerprint": "made of this"}}})
        write_paper(store, record, logs=logs)
        verify(store, connection, logs)
        export_graph(store, file, logs=logs)
    return file


def node(items: list[Item], name: str) -> dict[str, Any]:
    (found,) = (item["properties"] for item in items if item.get("id") == name)
    return found  # type: ignore[no-any-return]


def edge(items: list[Item], kind: str, start: str) -> Item:
    return next(item for item in items if item.get("edge") == kind and item["start"][1] == start)


def says(name: str, /, **more: Any) -> Callable[[list[Item]], object]:
    return lambda items: node(items, name).update(more)


def asserts(**more: Any) -> Callable[[list[Item]], object]:
    return lambda items: edge(items, "IMPLEMENTED_BY", SAMPLING)["properties"].update(more)


def added(kind: str, start: str, end: str, /, **more: Any) -> Callable[[list[Item]], object]:
    item = {"edge": kind, "start": ["Technique", start], "end": ["Code", end], "properties": more}
    return lambda items: items.append(item)


def swapped(items: list[Item]) -> None:
    """Two techniques under each other's id."""
    one, other = (next(item for item in items if item.get("id") == name) for name in (METHOD, SAMPLING))
    one["properties"], other["properties"] = other["properties"], one["properties"]
    one["seal"], other["seal"] = other["seal"], one["seal"]


def resold(items: list[Item]) -> None:
    """A seal of another line."""
    edge(items, "IMPLEMENTED_BY", SAMPLING).update(end=["Code", HELPER], seal=edge(items, "CITES", PAPER)["seal"])


def decided(items: list[Item]) -> None:
    said = {"item": "0" * 12, "kind": "name", "action": "reject", "technique": METHOD, "subject": "Paper 1 Method"}
    items.append(
        {"node": "Decision", "id": "review:0", "properties": {**said, "who": "C", "when": "2026", "value": ""}}
    )


LIES: dict[str, tuple[Callable[[list[Item]], object], set[str]]] = {
    "a definition": (says(SAMPLING, definition="Proven optimal."), {f"Technique {SAMPLING}"}),
    "a name": (says(SAMPLING, name="Famous Method"), {f"Technique {SAMPLING}"}),
    "a curator's technique": (says(SAMPLING, extraction_method="curator", curated=True), {f"Technique {SAMPLING}"}),
    "a vector": (lambda items: says(SAMPLING, embedding=node(items, METHOD)["embedding"])(items),
                 {f"Technique {SAMPLING}"}),
    "words by which code is found": (says(STEP, identifiers="famous method"), {f"Code {STEP}"}),
    "a text": (says(STEP, implementation="x = 1"), {f"Code {STEP}"}),
    "a licence": (says(HOME, licence="Apache-2.0"), {f"Repository {HOME}"}),
    "a licence of code": (says(STEP, licence="Apache-2.0"), {f"Code {STEP}"}),
    "a title": (says(PAPER, title="Another", name="Another"), {f"Paper {PAPER}"}),
    "two names": (swapped, {f"Technique {METHOD}", f"Technique {SAMPLING}"}),
    "a confidence": (asserts(confidence=0.999), {ASSERTED}),
    "a model's word": (asserts(method="llm", quotes=["it does"], part="whole", extraction_method="llm"), {ASSERTED}),
    "a curator's word": (asserts(method="curator", extraction_method="curator"), {ASSERTED}),
    "other code": (resold, {f"IMPLEMENTED_BY {SAMPLING} -> {HELPER}"}),
    "a new assertion": (added("IMPLEMENTED_BY", METHOD, RUN, score=1.0, rank=1, method="fused/3", confidence=0.99),
                        {f"IMPLEMENTED_BY {METHOD} -> {RUN}"}),
    "a likely one": (added("MAY_BE_IMPLEMENTED_BY", METHOD, RUN, score=1.0, rank=1, method="fused/3",
                           standing="likely"), {f"MAY_BE_IMPLEMENTED_BY {METHOD} -> {RUN}"}),
    "a denial": (added("NOT_IMPLEMENTED_BY", METHOD, RUN, extraction_method="curator"),
                 {f"NOT_IMPLEMENTED_BY {METHOD} -> {RUN}"}),
    "a decision": (decided, {"Decision review:0"}),
    "its own repository": (lambda items: edge(items, "HAS_REPOSITORY", PAPER)["properties"].update(evidence="it is"),
                           {f"HAS_REPOSITORY {PAPER} -> {HOME}"}),
}  # fmt: skip


@pytest.mark.parametrize("name", LIES)
def test_a_lie_is_told_and_asserts_nothing(
    name: str, store: Store, connection: Connection, logs: LogStore, own: Path
) -> None:
    edit, told = LIES[name]
    report = import_graph(store, edited(own, edit), "replace", logs=logs)
    nodes = {line.partition(" ")[2] for line in told if "->" not in line}
    assert set(report.foreign) == told
    assert (report.foreign_nodes, report.foreign_edges, report.whole) == (len(nodes), len(told) - len(nodes), False)
    entered = set() if name == "a decision" else nodes
    assert set(ask(connection, IMPORTED)) == entered, "nothing but what was edited is marked"
    assert {f.id for f in audit_graph(store, logs=logs) if f.check == "imported facts"} == entered
    assert ask(connection, "MATCH (n:Decision) RETURN n") == []
    assert ask(connection, "MATCH ()-[r]->() WHERE r.extraction_method = 'curator' OR type(r) STARTS WITH 'NOT' "
               "RETURN type(r)") == []  # fmt: skip
    for start, end in (line.partition(" ")[2].split(" -> ") for line in told if "IMPLEMENTED_BY" in line):
        found = ask(connection, "MATCH ({id: $a})-[r]->({id: $b}) RETURN [type(r), r.method, r.standing, "
                    "r.confidence, r.quotes]", a=start, b=end)  # fmt: skip
        assert found in ([["MAY_BE_IMPLEMENTED_BY", "import", None, None, None]], [])
        assert bool(found) == ("NOT" not in next(iter(told)))
    licences = ask(connection, "MATCH (n) WHERE n.id IN $ids AND (n:Repository OR n:Code) RETURN n.licence",
                   ids=sorted(nodes))  # fmt: skip
    assert set(licences) <= {"unknown"}
    official = ask(connection, "MATCH ()-[r:HAS_REPOSITORY]->() RETURN r.official")
    assert official == [name != "its own repository"]
    assert ask(connection, "MATCH (c:Code {id: $id}) RETURN c.verdict", id=RUN) == ["verified"]


def test_the_next_ingest_says_what_the_paper_says(
    store: Store, connection: Connection, logs: LogStore, own: Path
) -> None:
    """All the lies at once, merged into an empty graph."""

    def lie(items: list[Item]) -> None:
        for edit in (edit for name, (edit, _) in LIES.items() if name != "other code"):
            edit(items)

    said = (
        "MATCH (a)-[r]->(b) WHERE type(r) <> 'VERIFIED_BY' "
        "RETURN [type(r), a.id, b.id, a.name, b.licence, r {.*, run_id: 0}]"
    )
    import_graph(store, own, "replace", logs=logs)
    before = sorted(map(str, ask(connection, said)))
    connection.driver.execute_query("MATCH (n) WHERE NOT n:Migration AND NOT n:IndexInfo DETACH DELETE n")
    report = import_graph(store, edited(own, lie), "merge", logs=logs)
    assert report.foreign_nodes + report.foreign_edges == len(set.union(*(told for _, told in LIES.values()))) - 1
    assert ask(connection, "MATCH (p:Paper {id: $id}) RETURN p.ingest_fingerprint", id=PAPER) == [None]
    write_paper(store, paper(), logs=logs)
    assert sorted(map(str, ask(connection, said))) == before
    assert ask(connection, IMPORTED) == []
    assert audit_graph(store, logs=logs) == ()


def test_a_line_that_is_missing_is_told(store: Store, logs: LogStore, own: Path) -> None:
    def without(items: list[Item]) -> None:
        items.remove(edge(items, "CITES", PAPER))

    report = import_graph(store, edited(own, without), "replace", logs=logs)
    assert (report.foreign, report.whole) == ((), False)
    assert import_graph(store, own, "replace", logs=logs).whole


def test_a_lie_does_not_take_the_place_of_what_is_true(
    store: Store, connection: Connection, logs: LogStore, own: Path
) -> None:
    """Of the same technique and code this home says one thing, and somebody another."""
    import_graph(store, own, "replace", logs=logs)
    (before,) = ask(connection, "MATCH ({id: $a})-[r]->({id: $b}) RETURN properties(r)", a=SAMPLING, b=STEP)
    lie = added("IMPLEMENTED_BY", SAMPLING, STEP, score=1.0, rank=1, method="curator")
    for mode in ("replace", "merge"):
        import_graph(store, edited(own, lie), mode, logs=logs)  # type: ignore[arg-type]
        assert ask(connection, "MATCH ({id: $a})-[r]->({id: $b}) RETURN properties(r)", a=SAMPLING, b=STEP) == [before]
    import_graph(store, edited(own, asserts(confidence=1.0)), "merge", logs=logs)
    assert ask(connection, "MATCH ({id: $a})-[r]->({id: $b}) RETURN type(r)", a=SAMPLING, b=RUN) == ["IMPLEMENTED_BY"]


def test_another_home_is_a_stranger_until_its_key_is_known(
    store: Store, connection: Connection, own: Path, tmp_path: Path
) -> None:
    here = LogStore(tmp_path / "here")
    report = import_graph(store, own, "replace", logs=here)
    assert (report.foreign_nodes, report.foreign_edges) == (report.nodes, report.edges)
    assert (len(report.foreign), report.whole) == (5, False)
    assert ask(connection, "MATCH ()-[r:IMPLEMENTED_BY]->() RETURN r") == []
    export_graph(store, tmp_path / "passed-on.jsonl", logs=here)
    assert import_graph(store, tmp_path / "passed-on.jsonl", "replace", logs=here).foreign == ()
    assert len(ask(connection, IMPORTED)) > 5, "a second export makes nothing this home's own"
    (here.folder / "keys").mkdir(parents=True)
    shutil.copy(own.parent / "logs/key", here.folder / "keys/elsewhere")
    assert import_graph(store, own, "replace", logs=here).foreign == ()
    assert ask(connection, IMPORTED) == []


def test_every_view_tells_that_it_is_imported(store: Store, logs: LogStore, own: Path) -> None:
    def edit(items: list[Item], *more: str) -> None:
        for name in (SAMPLING, STEP, *more):
            node(items, name)["name"] = "Famous"

    def shown(*words: str) -> str:
        command, *rest = words
        commands = {"technique": technique_show, "paper": paper_show, "code": code_show}
        return CliRunner().invoke(commands[command], rest, catch_exceptions=False).stdout

    def hit() -> str:
        (row,) = store.rows(DescribedTechnique, ids=[SAMPLING])
        evidence = Evidence(cosine=1, text_score=1, coverage=1, relevance=1, vector_rank=1, text_rank=1, why="words")
        return hit_text(SPECS["techniques"].make_hit(row, rank=1, score=1, evidence=evidence))

    import_graph(store, own, "replace", logs=logs)
    views = [("technique", SAMPLING), ("paper", PAPER), ("code", STEP)]
    assert not any("imported" in shown(*view) for view in views)
    assert "imported" not in hit()
    import_graph(store, edited(own, edit), "replace", logs=logs)
    assert "Famous [imported]" in shown("paper", PAPER)
    import_graph(store, edited(own, lambda items: edit(items, PAPER)), "replace", logs=logs)
    assert all("imported: a file says so" in shown(*view) for view in views)
    assert "Famous\n" in shown("paper", PAPER), "all of it is"
    assert "imported: a file says so" in hit()


def test_the_command_tells_it(store: Store, logs: LogStore, own: Path, tmp_path: Path) -> None:
    """The commands' home is another one than the fixture's: its key is made by its first export."""
    import_graph(store, own, "replace", logs=logs)
    CliRunner().invoke(graph_export, [str(tmp_path / "mine.jsonl")], catch_exceptions=False)
    mine = CliRunner().invoke(graph_import, [str(tmp_path / "mine.jsonl"), "--replace"], catch_exceptions=False)
    assert "not written by this home" not in mine.stdout
    file = edited(tmp_path / "mine.jsonl", says(SAMPLING, definition="Proven optimal."))
    done = CliRunner().invoke(graph_import, [str(file), "--replace"], catch_exceptions=False)
    assert "1 nodes and 0 edges were not written by this home as they stand" in done.stdout
    assert f"  Technique {SAMPLING}" in done.stdout
