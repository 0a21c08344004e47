"""What a model adds to the examples, shown by answers that are kept beside them: offline, without a key."""

import pytest
from e2e.command import EXAMPLES, Cli

from prompts import prompt

pytestmark = [pytest.mark.e2e, pytest.mark.db]


@pytest.fixture
def recorded(cli: Cli) -> Cli:
    """`xkg` as in a checkout of its own, without any model's key."""
    env = {name: value for name, value in cli.env.items() if not name.endswith("_API_KEY")}
    return Cli(env | {"XKG_CONFIG": str(EXAMPLES.parent / "xkg.toml")})


def test_the_examples_are_judged_by_recorded_answers(recorded: Cli) -> None:
    before = recorded.json("llm", "spent")["total"]["calls"]
    words = ("ingest", "corpus", EXAMPLES / "corpus.toml", "--profile", "recorded")
    reports = recorded.json(*words)
    assert [report["status"] for report in reports] == ["ingested"] * 3
    for report in reports:
        assert report["judged"]["calls"] and not report["judged"]["broken"]
        assert report["implementations"]["calls"] == 1
        assert report["counts"]["grounded_unit"] > report["counts"]["likely"]
    calls = sum(report[stage]["calls"] for report in reports for stage in ("judged", "implementations"))
    assert calls == len(list((EXAMPLES / "replies").glob("*/*.json"))), "each kept answer is of use"
    assert recorded.json("llm", "spent")["total"]["calls"] == before
    assert {report["status"] for report in recorded.json(*words)} == {"unchanged"}
    shown = recorded.json("paper", "show", "local:pagerank")
    assert "forward push" in str(shown)


def test_every_kept_answer_is_to_a_prompt_of_today() -> None:
    kept = list((EXAMPLES / "replies").glob("*/*.json"))
    assert kept
    for file in kept:
        assert f'"prompt_sha256": "{prompt(file.parent.name).sha256}"' in file.read_text("utf-8"), file
