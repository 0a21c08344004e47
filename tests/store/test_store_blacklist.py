"""What a blacklist forbids leaves no trace in what any query gives out, and the filter can't be forgotten."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from e2e.command import Cli
from store_records import paper, repository, unit
from store_samples import CODE, CONCEPT, CURATOR, OTHER, PAPER, Samples, fill
from verdicts.exports import Item, edited

import cypher
from kg import audit
from kg.backup import LeftOut, export_graph, import_graph
from kg.blacklist import WITHHELD, open_blacklist
from kg.concepts import refresh_concepts, split_concept
from kg.config import Settings
from kg.connection import Connection
from kg.errors import InputError
from kg.models.record import PaperRecord
from kg.pruning import prune, restore
from kg.results.concept import ConceptRow
from kg.results.show import ImplementationRow, ListedPaper, ShownCode, ShownPaper
from kg.store import Store
from kg.write import remove_paper, write_paper

FILTER = re.compile(r"NONE\(x IN \$withheld\.prefixes WHERE (\w+)(?:\.id)? \+ '[#@]' STARTS WITH x\)")
NODES = re.compile(r"\((\w*):(?:Paper|CitedWork|Section|Technique|Code|Repository|Concept|Decision)\b|\(n\)|queryNodes")

UNFILTERED = {
    "backup/": "a backup is refused while a blacklist is in force",
    "blacklist/": "they find what is forbidden",
    "browser/": "a person runs them in Neo4j Browser, which asks the server itself",
    "concept/find_by_keys": "joins techniques for the writer",
    "concept/find_concepts": "joins techniques for the writer",
    "concept/list_instances": "joins techniques for the writer",
    "concept/list_relations": "joins techniques for the writer",
    "concept/list_techniques": "joins techniques for the writer",
    "concept/list_unjoined": "joins techniques for the writer",
    "concept/read_vectors": "joins techniques for the writer",
    "graph/count_all": "numbers only",
    "graph/find_faults": "an audit is refused while a blacklist is in force",
    "ingest/list_fingerprints": "compared by the ingest, never shown",
    "prune/": "pruning is refused while a blacklist is in force",
    "review/": "a review is refused while a blacklist is in force; what was decided is for the writer",
    "rewrite/read_former": "for the writer",
    "rewrite/read_kept": "for the writer",
    "verdict/find_bound_executions": "for the writer",
    "verdict/list_judged": "compared by the ingest, never shown",
    "verdict/list_strange": "an audit is refused while a blacklist is in force",
    "verdict/list_verified": "verdicts are doubted where they are read: of code that was found by a filtered query",
    "verdict/list_verified_edges": "an audit is refused while a blacklist is in force",
    "verdict/read_judged": "for the writer",
    "verdict/read_paper_version": "for the writer",
    "verdict/read_specifications": "the judge's, of code that a filtered query listed",
    "verdict/read_state": "for the writer",
    "verdict/read_texts": "the judge's, of code that a filtered query listed",
    "write/": "who writes sees all",
}
FILTERED = sorted(name for name, query in cypher.queries().items() if "withheld" in query.params)


def excused(name: str) -> bool:
    return any(name == known or (known.endswith("/") and name.startswith(known)) for known in UNFILTERED)


def test_every_query_that_reads_knowledge_is_filtered_or_excused() -> None:
    reads = {query.name: query.text for query in cypher.queries().values() if query.access == "read"}
    knowing = {name for name, text in reads.items() if NODES.search(cypher.COMMENT.sub("", text))}
    assert {name for name in knowing if not excused(name)} == set(FILTERED)
    assert [name for name in FILTERED if not FILTER.search(reads[name])] == []
    assert [known for known in UNFILTERED if not any(name.startswith(known) for name in reads)] == []


@pytest.fixture
def lists(tmp_path: Path, connection: Connection) -> Iterator[Any]:
    """Opens the graph with a blacklist of these lines."""

    def opened(*lines: str) -> Store:
        (tmp_path / "list").write_text("\n".join(lines))
        return Store(connection, open_blacklist(Settings().replace(blacklist=(tmp_path / "list",))))

    return opened


TRACES = (OTHER, "paper number 2", "Paper 2", "Inner step 2", "someone/shared", "shared@c1", "eighted")
"""Words of the forbidden: a paper, a repository, and a concept that only that paper has."""


def questions(store: Store, name: str) -> list[dict[str, Any]]:
    """Parameters of a query that ask for the allowed paper, and the same for the forbidden one."""
    wanted = [param for param in cypher.query(name).params if param != "withheld"]
    asked = json.dumps(list(Samples(store).of(wanted)))
    return json.loads(asked) + json.loads(asked.replace(PAPER, OTHER).replace('"reservoir-', '"weighted-'))


@pytest.mark.db
def test_no_query_gives_out_what_is_forbidden(store: Store, lists: Any) -> None:
    fill(store)
    guarded, plain, betrayed = lists(OTHER, "https://github.com/someone/shared"), set(), set()
    for name in FILTERED:
        for params in questions(store, name):
            shown, open_ = (json.dumps(graph.read(name, **params), default=str) for graph in (guarded, store))
            plain |= {name for trace in TRACES if trace in open_}
            betrayed |= {(name, trace) for trace in TRACES if trace in shown}
    assert betrayed == set()
    assert set(FILTERED) - plain == {"search/read_state"}, "without the list each would tell"


@pytest.mark.db
def test_counts_are_told_and_names_are_not(store: Store, lists: Any, caplog: pytest.LogCaptureFixture) -> None:
    fill(store)
    guarded = lists("kvfrans/fre", OTHER, "someone/shared")
    assert guarded.withheld is None
    assert PAPER in [row.id for row in guarded.rows(ListedPaper, cited=False)]
    guarded.rows(ListedPaper, cited=False)
    assert guarded.withheld.counts == {"papers": 1, "techniques": 3, "sections": 2, "code": 5}
    (said,) = caplog.messages
    assert said == "the blacklist withholds of this graph: 1 papers, 3 techniques, 2 sections, 5 code"


@pytest.mark.db
def test_a_repository_is_withheld_and_its_paper_is_not(store: Store, lists: Any) -> None:
    write_paper(store, paper(1))
    technique = f"{PAPER}#t/reservoir-sampling"
    assert store.rows(ImplementationRow, id=technique)
    guarded = lists("https://github.com/Someone/Repo1.git")
    (shown,) = guarded.rows(ShownPaper, id=PAPER)
    assert shown.repositories == []
    assert guarded.rows(ImplementationRow, id=technique) == []
    (listed,) = guarded.rows(ListedPaper, cited=False)
    assert (listed.techniques, listed.grounded, listed.code) == (3, 0, 0)
    assert store.rows(ImplementationRow, id=technique), "nothing was deleted"


def other(**repository_facts: Any) -> PaperRecord:
    """Another paper, whose repository has these facts."""
    return paper(2).model_copy(update={"repository": repository("innocent", **{"commit": "c2"} | repository_facts)})


@pytest.mark.db
@pytest.mark.parametrize(
    ("record", "line"),
    [
        (other(forked_from=("x/y", "Kvfrans/FRE")), "kvfrans/fre"),
        (other(url="https://gitlab.com/kvfrans/fre"), "kvfrans/fre"),
        (other(commit="c1"), "someone/repo1"),
        (other(), "arXiv:2001.00002v3"),
    ],
    ids=["fork", "address", "same commit", "the paper's own"],
)
def test_code_is_withheld_by_what_its_repository_is(store: Store, lists: Any, record: PaperRecord, line: str) -> None:
    write_paper(store, paper(1))
    write_paper(store, record)
    code = f"{record.repository.id}@{record.repository.commit}:{record.units[0].id}"
    assert len(store.rows(ShownCode, id=code)) == 1
    assert lists(line).rows(ShownCode, id=code) == []
    assert len(lists("kvfrans/fre-2").rows(ShownCode, id=code)) == 1


@pytest.mark.db
def test_vendored_code_is_withheld_and_its_neighbour_is_masked(store: Store, lists: Any) -> None:
    text = "def core():\n    return 'see https://github.com/kvfrans/fre for more'\n"
    far, core = unit("far", "lib/kvfrans/fre-extra/a.py"), unit("core", "third_party/kvfrans/fre/core.py")
    units = (core, unit("mine", text=text, docstring="As kvfrans / fre has."), far)
    record = other().model_copy(update={"units": units, "groundings": (), "calls": ()})
    write_paper(store, record.model_copy(update={"vectors": None}))
    base, guarded = f"{record.repository.id}@c2:", lists("kvfrans/fre")
    assert guarded.rows(ShownCode, id=base + units[0].id) == []
    assert len(guarded.rows(ShownCode, id=base + far.id)) == 1
    (shown,) = guarded.rows(ShownCode, id=base + units[1].id)
    assert shown.implementation == "def core():\n    return 'see [withheld] for more'\n"
    assert shown.documentation == "As [withheld] has."


@pytest.mark.db
@pytest.mark.parametrize(
    ("lines", "spaced", "withheld"),
    [(12, str, True), (2, str, False), (12, lambda t: t.replace("\n", "\r\n"), True),
     (12, lambda t: t.replace("    ", "\t"), True), (12, lambda t: t.replace("* 2", "* 3"), False)],
    ids=["long", "short", "windows", "tabs", "another"],
)  # fmt: skip
def test_files_with_copied_code_are_withheld(store: Store, lists: Any, lines: int, spaced: Any, withheld: bool) -> None:
    text = "def core(x):\n" + "    x = x * 2 + 1  # a step\n" * lines + "    return x\n"
    first = paper(1).model_copy(update={"units": (unit("core", "own.py", text=text),), "groundings": (), "calls": ()})
    units = (unit("core", "vendored/a.py", text=spaced(text)), unit("beside", "vendored/a.py"), unit("mine", "b.py"))
    second = other().model_copy(update={"units": units, "groundings": (), "calls": ()})
    for record in (first, second):
        write_paper(store, record.model_copy(update={"vectors": None}))
    guarded = lists("someone/repo1")
    shown = [bool(guarded.rows(ShownCode, id=f"{second.repository.id}@c2:{one.id}")) for one in units]
    assert shown == [not withheld, not withheld, True]
    assert store.rows(ShownCode, id=f"{second.repository.id}@c2:{units[0].id}")


@pytest.mark.db
@pytest.mark.parametrize("line", ["https://arxiv.org/abs/1706.03762", "10.48550/arXiv.1706.03762v1"])
def test_a_paper_is_withheld_by_what_those_call_it_that_cite_it(store: Store, lists: Any, line: str) -> None:
    for number in (1, 2):
        write_paper(store, paper(number))
    cited = [row for row in store.rows(ListedPaper, cited=True) if row.title == "Attention"]
    assert len(cited) == 1
    left = lists(line).rows(ListedPaper, cited=True)
    assert cited[0].id not in {row.id for row in left}
    assert {row.cites for row in left if row.id in (PAPER, OTHER)} == {2}


@pytest.mark.db
def test_concepts_are_joined_of_all_and_shown_of_what_is_left(store: Store, lists: Any) -> None:
    for number in (1, 2):
        write_paper(store, paper(number))
    refresh_concepts(store)
    before = store.rows(ConceptRow)
    guarded = lists(OTHER)
    assert refresh_concepts(guarded).empty
    assert store.rows(ConceptRow) == before
    assert [(row.techniques, row.papers, row.aliases) for row in guarded.rows(ConceptRow)] == [(1, 1, [])]
    assert lists(OTHER, PAPER).rows(ConceptRow) == []


def foreign(items: list[Item]) -> None:
    """Code and edges claim what they can't."""
    for item in items:
        if item.get("node") == "Code":
            item["properties"]["verdict"] = "verified"
        if item.get("edge") == "HAS_REPOSITORY":
            item["properties"]["verdict"] = "verified"


@pytest.mark.db
def test_curators_work_is_refused_meanwhile(store: Store, lists: Any, tmp_path: Path) -> None:
    fill(store)
    guarded = lists(OTHER)
    for work in (
        lambda: audit.audit_graph(guarded), lambda: prune(guarded, "grounded", dry_run=True), lambda: restore(guarded),
        lambda: export_graph(guarded, tmp_path / "graph"), lambda: remove_paper(guarded, OTHER, dry_run=True),
    ):  # fmt: skip
        with pytest.raises(InputError, match="a blacklist is in force"):
            work()
    assert store.rows(ShownCode, id=CODE)


@pytest.mark.db
@pytest.mark.parametrize("edit", [lambda items: None, foreign], ids=["known", "not ours"])
def test_an_import_names_nothing_withheld(store: Store, lists: Any, tmp_path: Path, edit: Any) -> None:
    """Neither by the listed name nor by that of what is withheld with it: a fork, a concept of a listed paper alone."""
    write_paper(store, paper(1))
    write_paper(store, other(forked_from=("x/y", "Kvfrans/FRE")))
    refresh_concepts(store)
    split_concept(store, CONCEPT, [f"{OTHER}#t/reservoir-sampling"], "Weighted sampling", **CURATOR)
    export_graph(store, tmp_path / "graph")
    file = edited(tmp_path / "graph", edit)
    open_, guarded = import_graph(store, file, "merge"), lists("kvfrans/fre", OTHER, "someone/repo1")
    found = import_graph(guarded, file, "merge")
    hidden = (OTHER, "someone/innocent", "someone/repo1", "eighted")
    assert {name for name in hidden if name in open_.model_dump_json()} == set(hidden)
    assert [name for name in hidden if name in found.model_dump_json()] == []
    assert LeftOut(what=f"Code {WITHHELD}", why="it is in the graph already") in found.present
    assert LeftOut(what=f"Technique {PAPER}#t/reservoir-sampling", why="it is in the graph already") in found.present
    assert LeftOut(what=f"Concept {CONCEPT}", why="it is in the graph already") in found.present
    counts = ("nodes", "edges", "nodes_added", "foreign_nodes", "claims_dropped", "demoted")
    assert [getattr(found, name) for name in counts] == [getattr(open_, name) for name in counts]
    assert len(found.present) == len(open_.present)


def former(items: list[Item]) -> None:
    """Code first, and claims that can't be."""
    foreign(items)
    items.sort(key=lambda item: item.get("node") != "Code")


@pytest.mark.db
def test_an_import_of_a_former_file_names_nothing_withheld_by_its_former_name(lists: Any, tmp_path: Path) -> None:
    """A folder's repository had the id of the paper, which is not forbidden."""
    old = Path(__file__).parent / "old_forms" / "migration_4.jsonl"
    file = edited(Path(shutil.copy(old, tmp_path)), former)
    found = import_graph(lists("folder:pagerank"), file)
    assert {one.what for one in found.unverified} == {*found.foreign} == {f"Code {WITHHELD}"}
    dropped = {one.what for one in found.dropped}
    assert f"HAS_REPOSITORY from local:pagerank to {WITHHELD}" in dropped
    assert [name for name in ("pagerank@", "folder:pagerank") if name in found.model_dump_json()] == []


@pytest.mark.db
def test_commands_say_how_much_and_never_what(store: Store, server_settings: Settings, tmp_path: Path) -> None:
    write_paper(store, paper(1))
    write_paper(store, paper(2))
    (tmp_path / "list").write_text(f"https://github.com/someone/repo1\n{OTHER}\n")
    home = {**os.environ, "XKG_HOME": str(server_settings.home)}
    cli = Cli({**home, "XKG_BLACKLIST": str(tmp_path / "list")})
    shown = cli.run("paper", "show", PAPER, "--json")
    value = json.loads(shown.stdout)
    assert (value["id"], value["repositories"], value["cited_by"]) == (PAPER, [], [])
    assert value["withheld"] == {"papers": 1, "techniques": 3, "sections": 2, "code": 8}
    assert shown.stderr.count("the blacklist withholds of this graph: 1 papers") == 1
    assert [name for name in ("repo1", "Paper 2", OTHER) if name in shown.stdout + shown.stderr] == []
    assert "withheld" not in Cli(home).json("paper", "show", PAPER)
    Cli(home).run("graph", "export", tmp_path / "graph")
    for more in ((), ("--json",)):
        said = cli.run("graph", "import", tmp_path / "graph", "--merge", *more)
        assert [name for name in ("repo1", OTHER) if name in said.stdout + said.stderr] == []
        assert "[withheld]: it is in the graph already" in said.stdout or json.loads(said.stdout)["withheld"]["code"]
    for words in (("code", "show", "github:someone/repo1@c1:src/core.py#run"), ("paper", "show", OTHER)):
        assert "the graph has no" in cli.run(*words, code=2).stderr
    (tmp_path / "list").unlink()
    assert "can't be read" in cli.run("paper", "list", code=2).stderr
    assert str(tmp_path) in cli.run("config", "show").stdout
