"""Hostile text in a paper, its repository or a model's reply, and a model that obeys it: nothing we control changes.

The cases are in cases.toml. All are ingested once, over a scripted model, into a real graph.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from injection_scene import CASES, DEMANDS, blocks, obey
from servers.model import ModelServer

from ingest.extract.judged.quotes import key
from ingest.ground.judged.shown import squeezed
from ingest.latex import parse_paper
from ingest.pipeline.job import Job
from ingest.pipeline.pipeline import PaperReport, ingest
from kg.cli.show import code_show, paper_show, technique_show
from kg.config import LlmProfile, Settings
from kg.connection import Connection
from kg.store import Store
from prompts import prompt

pytestmark = [pytest.mark.db, pytest.mark.timeout(600)]

STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
"""What changes how a terminal shows other text, or shows nothing where there is some."""


@dataclass(frozen=True)
class Scene:
    """What came of all cases: reports, what the server was sent, and the graph."""

    folder: Path
    reports: dict[str, PaperReport]
    bodies: list[dict[str, Any]]
    connection: Connection

    def rows(self, statement: str) -> list[dict[str, Any]]:
        driver, database = self.connection.driver, self.connection.database
        return [row.data() for row in driver.execute_query(statement, database_=database).records]

    def of(self, name: str) -> list[tuple[str, str, list[tuple[str, str]]]]:
        """The requests that a case is shown in: prompt, what stands outside of its fences, and its blocks."""
        found = []
        for body in self.bodies:
            outside, inside = blocks(body["messages"][1]["content"])
            if CASES[name].mark in re.sub(r"\s", "", json.dumps(body["messages"], ensure_ascii=False)):
                found.append((prompt_of(body), outside, inside))
        return found


def prompt_of(body: dict[str, Any]) -> str:
    """The prompt that a request was made of: the form that it asks for is its own."""
    form = body["response_format"]["json_schema"]["name"]
    return next(name for name in ("techniques", "techniques_again", "implementations") if prompt(name).output == form)


@pytest.fixture(scope="module")
def scene(
    server_settings: Settings, emptied: Callable[[], Connection], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Scene]:
    folder, connection = tmp_path_factory.mktemp("injection"), emptied()
    for case in CASES.values():
        case.write(folder / "papers" / case.name)
    before = contents(folder)
    connection.driver.execute_query("CREATE (:Bystander {id: 'bystander'})", database_=connection.database)
    with ModelServer().running() as server:
        server.say(obey)
        profile = LlmProfile(
            model="scripted",
            base_url=server.base_url,
            timeout=60,
            stream=False,
            context_tokens=32_000,
            replies=folder / "replies",
        )
        settings = server_settings.replace(
            home=folder / "home", network__retry_wait=0.01, llm__profile="it", llm__profiles={"it": profile}
        )
        jobs = [
            Job(name=name, slug=name, paper=str(folder / "papers" / name / "paper"),
                repo=str(folder / "papers" / name / "code"), run="run")
            for name in CASES
        ]  # fmt: skip
        found = ingest(jobs, settings, Store(connection))
        assert contents(folder).items() >= before.items(), "papers and repositories are as they were"
        yield Scene(folder, {report.name: report for report in found.papers}, server.bodies, connection)


def read(folder: Path) -> str:
    """The letters of all that a paper says."""
    return key(parse_paper(folder).reading.text())


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", CASES)
def test_hostile_text_stands_only_in_the_fence_of_the_user_s_part(scene: Scene, name: str) -> None:
    case = CASES[name]
    found = scene.of(name)
    assert {asked for asked, *_ in found} >= set(case.prompts), "the case must be seen to be harmless"
    assert case.prompts or not found
    for _, outside, inside in found:
        assert case.mark not in re.sub(r"\s", "", outside)
        assert any(case.mark in re.sub(r"\s", "", text) for _, text in inside)
        for mark in ("<|", "<｜", "[INST]", "<<SYS>>", "</s>", "<start_of_turn>", "[SYSTEM_PROMPT]", "[|system|]"):
            assert not any(mark in text for _, text in inside)


def test_all_that_is_sent_but_the_data_is_the_same_for_every_text(scene: Scene) -> None:
    """The parts of the request, the system's words, and ours around the fences are those of the harmless case."""
    harmless: dict[str, tuple[Any, str]] = {}
    for body in scene.bodies:
        system, user = body["messages"]
        assert (system["role"], user["role"]) == ("system", "user")
        form = {**body, "messages": None}
        outside, inside = blocks(user["content"])
        variant = [part for part in ("Nothing answers", "part # of #") if part in outside]
        of = f"{prompt_of(body)} {[name for name, _ in inside]} {variant}"
        known = harmless.setdefault(of, ((form, system["content"]), outside))
        assert ((form, system["content"]), outside) == known
        assert "tools" not in form
    assert len(harmless) <= 7, "a form for each prompt, and for the parts of a long paper and what is asked again"


@pytest.mark.parametrize("name", CASES)
def test_what_an_obedient_model_says_is_dropped_and_counted(scene: Scene, name: str) -> None:
    demand, report = DEMANDS[CASES[name].asks], scene.reports[name]
    assert (report.status, report.error) == (demand.status, None)
    assert demand.dropped <= (report.dropped | report.implementations_dropped).keys()
    if demand.status == "partial":
        assert any("without an answer" in warning or "structure alone" in warning for warning in report.warnings)


def test_no_edge_stands_without_a_quote_that_is_there(scene: Scene) -> None:
    edges = scene.rows(
        "MATCH (t:Technique)-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c:Code) "
        "RETURN t.paper AS paper, type(r) AS type, r.method AS method, r.quotes AS quotes, r.reason AS reason, "
        "c.implementation AS code, c.id AS id, t.id AS technique"
    )
    judged = [edge for edge in edges if edge["method"] == "llm"]
    assert judged
    for edge in judged:
        assert edge["quotes"]
        assert all(squeezed(quote) in squeezed(edge["code"]) for quote in edge["quotes"])
        assert len(edge["reason"].splitlines()) <= 1
    honest = {name for name in CASES if DEMANDS[CASES[name].asks].dropped & {"no_quote", "unknown_unit", "only_named"}}
    papers = {edge["technique"].partition("#")[0].removeprefix("local:") for edge in judged}
    assert papers
    assert not papers & honest, "who was told what to choose has chosen nothing"


def test_techniques_say_only_what_their_paper_says(scene: Scene) -> None:
    rows = scene.rows(
        "MATCH (t:Technique)-[d:DESCRIBED_IN]->() WHERE d.quotes IS NOT NULL "
        "RETURN t.id AS id, t.name AS name, d.quotes AS quotes"
    )
    assert len(rows) > len(CASES)
    sources: dict[str, str] = {}
    for row in rows:
        paper = row["id"].partition("#")[0].removeprefix("local:")
        if paper not in sources:
            sources[paper] = read(scene.folder / "papers" / paper / "paper")
        source = sources[paper]
        assert key(row["name"]) in source
        assert all(key(quote) in source for quote in row["quotes"])
    assert "Gold Sorting" not in {row["name"] for row in rows}


def test_the_graph_has_no_verdict_and_nothing_of_another_kind(scene: Scene) -> None:
    assert scene.rows("MATCH (b:Bystander) RETURN count(b) AS n") == [{"n": 1}]
    assert scene.rows("MATCH (e:Execution) RETURN count(e) AS n") == [{"n": 0}]
    assert scene.rows("MATCH (c:Code) RETURN DISTINCT c.verdict AS verdict") == [{"verdict": "unverified"}]
    harmless, others = (
        {
            (row["label"], property_)
            for row in scene.rows(
                f"MATCH (p:Paper {{status: 'ingested'}})-[*0..3]->(n) WHERE {which} p.id = 'local:harmless' "
                "RETURN DISTINCT head(labels(n)) AS label, keys(n) AS keys"
            )
            for property_ in row["keys"]
        }
        for which in ("", "NOT")
    )
    assert {label for label, _ in others} == {label for label, _ in harmless}
    assert others - harmless <= {("Technique", "coined"), ("Paper", "warnings")}
    kinds = "MATCH ()-[r]->() RETURN DISTINCT type(r) AS type"
    assert all(re.fullmatch(r"[A-Z_]+", row["type"]) for row in scene.rows(kinds))


def test_no_file_is_written_outside_of_its_place(scene: Scene) -> None:
    made = [path.relative_to(scene.folder) for path in scene.folder.rglob("*")]
    assert {path.parts[0] for path in made} == {"papers", "home", "replies"}
    marks = [case.mark for case in CASES.values()]
    ours = [str(path) for path in made if path.parts[0] != "papers"]
    assert not [path for path in ours if any(mark in path for mark in marks) or "passwd" in path]


@pytest.mark.parametrize("as_json", [False, True], ids=["for people", "as JSON"])
def test_nothing_that_is_shown_steers_the_terminal(scene: Scene, as_json: bool) -> None:
    more = ["--json"] if as_json else []
    papers = [report.id or "" for report in scene.reports.values()]
    odd = [name for name, case in CASES.items() if STEERS.search(case.text) or case.asks == "steer"]
    papers += [f"local:{name}" for name in odd]
    assert len(odd) > 5
    for command, label in ((paper_show, "Paper"), (technique_show, "Technique"), (code_show, "Code")):
        ids = [row["id"] for row in scene.rows(f"MATCH (n:{label}) RETURN n.id AS id ORDER BY id")]
        for each in ids:
            if label == "Paper" or any(f"{name}#" in each or f"{name}@" in each for name in odd):
                shown = CliRunner().invoke(command, [each, *more])
                assert shown.exit_code == 0, shown.output
                assert not (found := STEERS.search(shown.stdout)), f"{each}: {found}"
                assert not any(line.strip() == "verified · exact test" for line in shown.stdout.splitlines())
