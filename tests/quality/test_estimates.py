"""What a paper's judging is estimated to cost contains what the ledger says afterwards, whatever the model is like.

The papers are the examples'; with XKG_PAPERS=DIR also three of those there. ``-s`` shows how wide the estimates are.
"""

import json
import os
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from servers.model import ModelServer, Say

from agents.code.units import read_units
from agents.llm import LLM
from ingest.corpus import Estimate, Estimator, spent_by
from ingest.extract.judged import JudgedExtractor
from ingest.extract.structural import StructuralExtractor
from ingest.ground.judged import judge_tree, readme
from ingest.latex import parse_paper
from kg.config import LlmProfile, load_settings
from kg.embeddings import Embedder

pytestmark = pytest.mark.timeout(600)
FOLDERS = {"examples": (Path(__file__).parents[2] / "examples", ("reservoir", "heavy-hitters", "pagerank"))}
if named := os.environ.get("XKG_PAPERS"):
    FOLDERS["real"] = (Path(named), ("pzflow", "edo", "emcee"))
PAPERS = [(room, slug) for room, (_, slugs) in FOLDERS.items() for slug in slugs]
WIDE = 35
"""Times the highest estimate may be what was spent, where the model said little."""


@dataclass
class Talker:
    """A model: how much it says, how many bytes its tokens have, and whether the first reply to each question is none
    and what it says must be asked for again."""

    entries: int
    bytes_a_token: float
    fails: bool = False
    wordy: bool = False
    asked: set[str] = field(default_factory=set)

    def __call__(self, body: dict[str, Any]) -> Say:
        sent = "\n".join(message["content"] for message in body["messages"])
        form = body["response_format"]["json_schema"]["name"]
        fresh = sent not in self.asked
        self.asked.add(sent)
        if self.fails and fresh:
            return self._say(sent, "I would rather not say anything of that.", body)
        answer = self._answer(form, sent)
        while self._out(json.dumps(answer)) > _most(body):  # it knows when to end
            (answer.get("entries") or answer["answers"]).pop()
        return self._say(sent, json.dumps(answer), body)

    def _say(self, sent: str, reply: str, body: dict[str, Any]) -> Say:
        form = json.dumps(body["response_format"])
        return Say(reply, usage=(self._out(f"{sent}{form}"), self._out(reply)))

    def _out(self, text: str) -> int:
        return round(len(text.encode()) / self.bytes_a_token)

    def _answer(self, form: str, sent: str) -> dict[str, Any]:
        if form == "Reply":
            return {"answers": [self._code(int(n), sent) for n in re.findall(r"^TECHNIQUE (\d+):", sent, re.MULTILINE)]}
        found = re.findall(r"^\[(p\d+)\] (.{60,400}?\.)", sent, re.MULTILINE) or [("p1", "There is no sentence here.")]
        entries = [self._entry(*found[n % len(found)]) for n in range(self.entries)]
        if form == "SaidAgain":
            return {"entries": entries, "excused": []}
        return {"root": self._entry(*found[0]), "entries": entries, "excused": []}

    def _entry(self, mark: str, words: str) -> dict[str, Any]:
        quote = {"at": mark, "quote": "It is not said here." if self.fails else words}
        name = " ".join(words.split()[:3])
        more: dict[str, Any] = {}
        if self.wordy:
            more = {"gloss": "what it does to what it is given, in words", "aliases": [name, name], "inputs": [name]}
        return {
            "name": name, "kind": "methodology", "status": "used", "naming": {"at": mark, "quote": name},
            "definition": [quote], **more,
        }  # fmt: skip

    def _code(self, number: int, sent: str) -> dict[str, Any]:
        found = {"technique": number, "units": [], "nothing": "not shown", "confidence": "guess", "why": "", "more": []}
        files = list(dict.fromkeys(re.findall(r"[\w/]+\.py", sent)))
        if self.wordy:
            found["why"] = "None of what is shown carries out what the paper says of it, as far as can be seen."
        if (self.wordy or self.fails) and files:
            found["more"] = [files[(number + n) % len(files)] for n in range(3)]
        return found


def _most(body: dict[str, Any]) -> int:
    most: int = body.get("max_tokens") or body["max_completion_tokens"]
    return most


STYLES = {
    "short": (0, 5.0, False, False), "usual": (15, 3.7, False, False), "long": (34, 2.4, False, True),
    "asked again": (6, 3.7, True, False),
}  # fmt: skip


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer().running() as running:
        yield running


def judged(
    server: ModelServer, embedder: Embedder, home: Path, paper: tuple[str, str], style: str
) -> tuple[Estimate, Any]:
    """What was estimated of a paper and what it came to."""
    folder, entry = FOLDERS[paper[0]][0], tomllib.loads((FOLDERS[paper[0]][0] / "corpus.toml").read_text())[paper[1]]
    profile = LlmProfile(model="scripted", base_url=server.base_url, timeout=60, tries=1, replies=home / "replies")
    llm = LLM(load_settings().replace(home=home, llm__profiles={"it": profile}), "it", run="corpus")
    server.say(Talker(*STYLES[style]))
    parsed = parse_paper(folder / entry["paper"], entry.get("main"))
    estimate = Estimator(load_settings().replace(home=home), llm).estimate(parsed, code=True)
    tree = JudgedExtractor(llm, embedder).judge(parsed, StructuralExtractor().extract(parsed), paper[1]).tree
    code = folder / entry["repo"]
    judge_tree(parsed, tree, read_units(code), embedder, llm, paper=paper[1], readme=readme(code))
    return estimate, spent_by(llm, "corpus", estimate, 0.0)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper[1])
def test_what_is_spent_lies_within(
    server: ModelServer, embedder: Embedder, tmp_path: Path, paper: tuple[str, str], style: str
) -> None:
    estimate, actual = judged(server, embedder, tmp_path, paper, style)
    figures = ("calls", "tokens_in", "tokens_out")
    ratios = {name: round(getattr(estimate, name).high / getattr(actual, name), 1) for name in figures}
    print(f"\n{paper[1]:14} {style:12}", *(
        f"{name} {getattr(estimate, name).low:.0f} <= {getattr(actual, name)} <= {getattr(estimate, name).high:.0f} "
        f"(x{ratios[name]})" for name in figures
    ), sep="  ")  # fmt: skip
    assert [name for name in figures if not actual.within[name]] == []
    assert ratios["tokens_in"] <= WIDE
