"""Units that break a sentence of their documentation where no test looks: a model that reads it takes the word away."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from servers.model import ModelServer
from trap_repositories import TrapRepository, assert_judged_rightly

from agents.code.verify import Judged
from agents.code.verify.unit_verdicts import UnitVerdicts
from agents.llm import LLM
from agents.testwriting import TestWriter as Writer
from kg.config import LlmProfile, load_settings
from kg.models.code import CodeUnit

pytestmark = pytest.mark.sandbox
FILES = ("challenged.txt",)
REPLIES = json.loads(Path(__file__).with_name("challenged.json").read_text("utf-8"))
"""What was answered about each unit by somebody who saw the questions alone: tests, and what a blind reading says."""


def answer(body: dict[str, Any]) -> Any:
    asked = body["messages"][-1]["content"]
    unit = re.search(r"UNIT UNDER TEST: (\w+)", asked)
    assert unit
    return REPLIES[unit[1]]["review" if "each with the quotes of its assertions" in asked else "tests"]


def test_what_breaks_its_documentation_is_verified_until_somebody_reads_it(
    repository: TrapRepository, tmp_path: Path
) -> None:
    before: dict[str, str] = {}
    with ModelServer().running() as server:
        server.say(answer)
        profile = LlmProfile(model="scripted-1", base_url=server.base_url, replies=tmp_path / "replies")
        settings = load_settings().replace(home=tmp_path / "home", llm__profiles={"strict": profile})
        writer = Writer(LLM(settings, "strict", run="run"), {}, challenge=True)

        def challenged(unit: CodeUnit, judged: Judged, verdicts: UnitVerdicts, seconds: float) -> Judged:
            before[f"{unit.file}#{unit.symbol}"] = judged.judgement.verdict
            return writer(unit, judged, verdicts, seconds)

        assert_judged_rightly(repository, tmp_path / "repository", challenged)
    assert before == dict.fromkeys({*repository.refused, *repository.verified}, "verified"), "without a model"
