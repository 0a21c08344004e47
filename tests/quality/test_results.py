"""The page of results keeps what was not run again, and the tables say what the JSON says."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from agents.tools import TOOLS
from benchmarks.__main__ import main
from benchmarks.ablation.report import table, worth
from benchmarks.figures import FIGURES, Figure, Form, figures_of
from benchmarks.growth import Asker
from benchmarks.lines import ROOT, lines_by_room
from benchmarks.results import SECTIONS, section, update
from benchmarks.tools import questions

RESULT = {"strict_central": 0.5, "strict": 0.25, "n_strict": 1204}


def test_a_section_is_replaced_and_the_others_stay(tmp_path: Path) -> None:
    page = tmp_path / "results.md"
    update(page, {"grounding": "of yesterday", "techniques": "first figures"})
    update(page, {"techniques": "new"})
    text = page.read_text()
    assert text.startswith("# Results\n")
    assert text.index("## techniques\n\nnew") < text.index("## grounding\n\nof yesterday")
    assert "first figures" not in text
    update(page, {})
    assert page.read_text() == text


def test_figures_are_written_with_their_form_and_beside_earlier_ones() -> None:
    text = section("techniques", RESULT, {"strict_central": 0.375, "strict_top": 0.125})
    assert "| central labels found by name | 37.5% | 50.0% |" in text
    assert "| labels |  | 1,204 |" in text
    assert "| all labels found by name at the top level | 12.5% |  |" in text
    assert "cores" in text
    assert "| central labels found by name | 50.0% |" in section("techniques", RESULT)


def test_verdicts_that_changed_are_listed_with_their_reason() -> None:
    def judged(*verdicts: str) -> dict[str, Any]:
        units = [{"unit": f"a.py#{i}", "verdict": v, "reason": f"for {v} | so"} for i, v in enumerate(verdicts)]
        return {"verified": 1, "papers": {"edo": {"units": [*units, {"verdict": "unverified", "reason": "not read"}]}}}

    text = section("verification", judged("verified", "failed"), judged("verified", "verified"))
    assert text.endswith("| edo: a.py#1 | verified | failed | for failed \\| so |")
    assert "a.py#0" not in text
    same = section("verification", judged("verified"), judged("verified"))
    assert "unit" not in same.rpartition("|")[0].splitlines()[-1]
    blocks = [{"rows": [{"id": "b", "verdict": verdict, "reason": "because"}]} for verdict in ("failed", "verified")]
    assert "| b | failed | verified | because |" in section("blocks", blocks[1], blocks[0])


def test_rooms_of_both_states_are_told() -> None:
    text = section("lines", {"kg": 5, "all": 5}, {"old": 7, "all": 7})
    assert text.endswith("| kg | 0 | 5 |\n| old | 7 | 0 |\n| all | 7 | 5 |")


def test_a_figure_is_found_by_its_path() -> None:
    figure = Figure("runs.1.a_minute", "", Form.COUNT)
    assert figure.of({"runs": [{}, {"a_minute": 7}]}) == 7
    assert figure.of({"runs": []}) is None
    assert figure.of({"runs": None}) is None
    assert [value for _, value in figures_of("techniques", RESULT)] == [0.5, 0.25, 1204]


def test_every_benchmark_of_the_page_is_a_module_that_says_what_it_is() -> None:
    for name in SECTIONS:
        assert len(section(name, {}).split("\n\n")[0]) > 30
    for figures in FIGURES.values():
        assert len({figure.key for figure in figures}) == len(figures)


def test_lines_are_counted_by_room() -> None:
    found = lines_by_room()
    assert found["all"] == sum(lines for room, lines in found.items() if room != "all")
    assert found["cypher"] == sum(len(file.read_text().splitlines()) for file in (ROOT / "cypher").rglob("*.py"))
    assert not {"tests", "benchmarks", "examples"} & found.keys()


def test_one_command_runs_a_benchmark_and_writes_the_page(tmp_path: Path) -> None:
    page = tmp_path / "results.md"
    given = ["--only", "lines", "--page", str(page), "--keep", str(tmp_path / "json")]
    done = CliRunner().invoke(main, given, catch_exceptions=False)
    assert done.exit_code == 0
    assert "## lines" in page.read_text()
    assert (tmp_path / "json" / "lines.json").exists()


def test_a_benchmark_that_cannot_be_run_is_named() -> None:
    done = CliRunner().invoke(main, ["--only", "grounding"])
    assert done.exit_code == 2
    assert "grounding" in done.output


@pytest.mark.parametrize(
    ("off", "word"),
    [
        ({"top1": 0.5, "asserted_wrong": 2}, "nothing"),
        ({"top1": 0.4, "asserted_wrong": 2}, "adds"),
        ({"top1": 0.4, "asserted_wrong": 3}, "adds"),
        ({"top1": 0.6, "asserted_wrong": 2}, "harms"),
        ({"top1": 0.4, "asserted_wrong": 1}, "both"),
    ],
)
def test_worth_knows_which_way_is_better(off: dict[str, float], word: str) -> None:
    assert worth("grounding", {"top1": 0.5, "asserted_wrong": 2}, off) == word


def test_the_ablation_tells_what_a_feature_gains() -> None:
    found: dict[str, Any] = {"grounding": {"on": {"top1": 0.5, "asserted_wrong": 2}, "off": {}}}
    found["grounding"]["off"] = {"names": {"top1": 0.4, "asserted_wrong": 2}}
    lines = table(found).splitlines()
    assert "| all on | 50.0% | 2 |  |" in lines
    assert "| names | +10.0% | · | adds |" in lines


def test_the_ablation_tells_how_many_plans_a_part_changes() -> None:
    assert "| declared in setup.py | 3 |" in table({"plans": {"declared in setup.py": 3}}).splitlines()


def test_every_tool_is_measured_with_arguments_that_it_takes() -> None:
    asked = questions(3, Asker())
    assert list(asked) == list(TOOLS)
    for name, tool in TOOLS.items():
        assert tool.arguments.model_validate(asked[name](1)) != tool.arguments.model_validate(asked[name](2))
