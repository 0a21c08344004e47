"""The benchmark of modules, on a small paper with its repository."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from rewrite.samples import PLAIN, WRONG, accept, answer, scene
from servers.model import ModelServer

from benchmarks.rewriting import run, table

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
