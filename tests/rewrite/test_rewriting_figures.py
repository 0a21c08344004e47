"""The benchmark of modules, on a small paper with its repository."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from rewrite.samples import PLAIN, WRONG, accept, answer, scene
from servers.model import ModelServer

from agents.code.units import read_units
from benchmarks.common import by_paper
from benchmarks.rewriting import run, table
from benchmarks.testwriting import specifications

pytestmark = pytest.mark.sandbox


def label(technique: str, file: str, symbol: str | None) -> str:
    place = {"tex_file": "main.tex", "tex_line": 1, "code_file": file, "symbol": symbol, "code_line": 1}
    return json.dumps({"paper": "calm", "technique": technique, "aliases": [], "kind": "technique", "central": True,
                       "also": [], **place})  # fmt: skip


def test_figures(server: ModelServer, tmp_path: Path, set_variables: Callable[..., None]) -> None:
    scene(tmp_path / "papers/calm/code")
    (tmp_path / "papers/calm/latex").mkdir()
    (tmp_path / "papers/calm/latex/main.tex").write_text(
        "\\documentclass{article}\\begin{document}We smooth a series.\\end{document}"
    )
    rows = [label("smoothing", "calm/smooth.py", "smooth"), label("adding", "calm/smooth.py", "untested")]
    (tmp_path / "labels").write_text("\n".join([*rows, label("nothing", "", None)]))
    profile = {"model": "scripted", "base_url": server.base_url, "replies": str(tmp_path / "replies")}
    set_variables(XKG_LLM_PROFILES=json.dumps({"it": profile}), XKG_VERIFY_MUTANTS=4)
    declined = {"nothing": "no expectation", "setup": "", "tests": []}
    server.say(answer(WRONG), answer(WRONG), answer(PLAIN), accept(), declined)
    result = run(tmp_path / "papers", tmp_path / "labels", "it", "bubblewrap", {"calm"})
    told = {name: value for name, value in result.items() if name not in ("papers",)}
    assert told == {
        "n": 2, "run": 2, "compared": 1, "faithful": 0, "accepted": 1, "verified": 0, "written": 0,
        "verified_before": 1, "no_test_before": 1, "verified_of_these": 0, "calls": 5, "tokens_in": 55,
        "tokens_out": 35, "causes": {"unfaithful": 1},
        "stops": {"same answer": 1, "accepted": 1}, "left": 0,
    }  # fmt: skip
    assert "1 unfaithful" in table(result)


def test_what_is_said_of_a_label_begins_with_the_sentence_at_its_place(tmp_path: Path) -> None:
    scene(tmp_path / "papers/calm/code")
    (tmp_path / "papers/calm/latex").mkdir()
    (tmp_path / "papers/calm/latex/main.tex").write_text(
        "\\documentclass{article}\n\\begin{document}\nWe load a series. It has no gaps.\n"
        f"We smooth it by a mean. The mean is of three.\n\n{'It is long. ' * 400}\n\\end{{document}}\n"
    )
    (tmp_path / "labels").write_text(label("smoothing", "calm/smooth.py", "smooth").replace('line": 1', 'line": 4'))
    ((paper, wanted),) = by_paper(tmp_path / "papers", tmp_path / "labels")
    assert paper.code is not None
    unit = next(unit for unit in read_units(paper.code).units if unit.symbol == "smooth")
    (told,) = specifications(paper, [(wanted[0], unit)]).values()
    name, first, second = told.text.splitlines()
    assert (name, first) == ("TECHNIQUE: smoothing", "[p1] We smooth it by a mean. The mean is of three.")
    assert second.startswith("[p2] It is long. It is long. ")
    assert second.endswith("It is long."), "cut at the end of a sentence"
