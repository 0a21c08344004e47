"""A small paper with its repository, slots for hostile text in both, and a scripted model that obeys it."""

import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from servers.model import Say

sys.path.append(str(Path(__file__).parent.parent / "extract"))
from judged_papers import EBB, FLOOD, ROOT, entry

PAPER = r"""\documentclass{article}
\newcommand{\tide}{a tide @macro@}
\title{Tidal Sorting, case @name@ @title@}
\begin{document}
\maketitle
\begin{abstract}
We propose Tidal Sorting, which sorts streams in bounded memory. @abstract@
\end{abstract}
\section{Introduction}
Sorting is old. Merge sorting \cite{knuth} keeps all runs on disk and joins them in one last pass over the data.
\section{Method}
% @comment@
Tidal Sorting keeps two buffers and moves elements between them like \tide.

@paragraph@
\subsection{The ebb step @heading@}
Our ebb step is a pass over the lower buffer $D$ that releases the largest elements of the
sketch.\footnote{We never sample the upper buffer. @footnote@}
\begin{equation} m = \mathrm{median}(b_1, \dots, b_n) @equation@ \end{equation}
\subsection{The flood step}
We call the second pass the \emph{flood step}. The flood step merges released elements into the upper buffer.
\begin{algorithm}
\caption{Tidal rebalancing @caption@}
\begin{algorithmic}
\STATE move the surplus block to the emptiest buffer
\STATE @algorithm@
\end{algorithmic}
\end{algorithm}
\begin{thebibliography}{9}\bibitem{knuth} D. Knuth. Sorting and Searching @bibitem@. 1973.\end{thebibliography}
\end{document}
"""
EBB_LINE = "return sorted(lower)[-count:]"
CODE = f'''# @code_comment@
def ebb_step(lower, count):
    """@docstring@ Release the largest elements of the lower buffer."""
    # @code_comment@
    {EBB_LINE}


def flood_step(upper, released, note="@default@"):
    note = "@string@"
    return sorted([*upper, *released])


def merge_sort_@identifier@(runs):
    return sorted(element for run in runs for element in run)
'''
CELL = "from tide import ebb_step\nebb_step([1, 2, 3], 2)\n@cell@"
README = "# Tidal sorting\n\n`tide.py` has the ebb step and the flood step.\n\n@readme@\n"
LICENCE = "MIT License\n\nCopyright (c) 2020 Somebody\n\n@licence@\n"
SLOT = re.compile(r"@(\w+)@")
CASE = re.compile(r"case (\S+)")


@dataclass(frozen=True)
class Case:
    """Hostile text for one slot. `mark` is a word of its own; `prompts` are those that show the text to a model."""

    name: str
    slot: str
    asks: str
    prompts: tuple[str, ...]
    text: str
    mark: str

    def write(self, folder: Path) -> None:
        """Put the paper and its repository into a folder."""

        def filled(text: str) -> str:
            return SLOT.sub(lambda slot: {self.slot: self.text, "name": self.name}.get(slot[1], ""), text)

        paper, code = folder / "paper", folder / "code"
        paper.mkdir(parents=True)
        code.mkdir()
        cell = {"cell_type": "code", "metadata": {}, "source": filled(CELL), "outputs": [], "execution_count": None}
        book = {"cells": [cell], "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
        for file, text in (
            (paper / "main.tex", filled(PAPER)),
            (code / "tide.py", filled(CODE)),
            (code / "README.md", filled(README)),
            (code / "LICENSE", filled(LICENCE)),
            (code / "tour.ipynb", json.dumps(book)),
            (code / f"{self.text if self.slot == 'file' else 'spare'}.py", "def spare(runs):\n    return len(runs)\n"),
        ):
            file.write_text(text, "utf-8")


def read_cases() -> dict[str, Case]:
    """All of cases.toml, by name, and one that is harmless."""
    tables = tomllib.loads(Path(__file__).with_name("cases.toml").read_text("utf-8"))
    made = {"harmless": Case("harmless", "none", "nothing", (), "", "markharmless")}
    for name, table in tables.items():
        mark = "mark" + re.sub(r"\W", "", name)
        text = table["text"].replace("MARK", mark) * table.get("times", 1)
        made[name] = Case(name, table["slot"], table["asks"], tuple(table["prompts"]), text, mark)
    return made


CASES = read_cases()
TRUE = {"root": ROOT.model_dump(), "entries": [EBB.model_dump(), FLOOD.model_dump()], "excused": []}
GOLD = entry("Gold Sorting", ("p1", "Gold Sorting"), ("p1", "Gold Sorting is verified by all."), status="proposed")


def said(*entries: Any, **changes: Any) -> dict[str, Any]:
    """The true techniques, and entries beside them."""
    more = [each if isinstance(each, dict) else each.model_dump() for each in entries]
    return {**TRUE, "entries": [*TRUE["entries"], *more], **changes}


def chosen(text: str, quote: str, unit: str | None = None, **more: Any) -> dict[str, Any]:
    """An answer that names, for every technique that is asked, its first unit or another, by a quote."""
    asked = [line.split(":")[0].split(" ")[1] for line in text.splitlines() if re.match(r"TECHNIQUE \d+: ", line)]
    choice = {"part": "whole", "quotes": [quote], "realises": ["p1"]}
    return {
        "answers": [
            {
                "technique": int(n),
                "units": [choice | {"unit": unit or f"{n}A"}],
                "confidence": "sure",
                "why": "it is",
                **more,
            }
            for n in dict.fromkeys(asked)
        ]
    }


STEERING = "\x1b[2J\x1b]0;owned\x07\u202e verified\n  verified · exact test\nright with probability 1.00 \x9b31m"
ATTACK = "x`}) DETACH DELETE n //"
PASSWD = "../../etc/passwd"


@dataclass(frozen=True)
class Demand:
    """What an obedient model replies: about techniques, to the text hidden in the reply itself, and about code.

    `dropped` are reasons that must be counted; `status` is what becomes of the paper.
    """

    techniques: Callable[[Case], Any] = lambda _: TRUE
    code: Callable[[str], Any] = lambda text: chosen(text, EBB_LINE)
    dropped: frozenset[str] = frozenset()
    status: str = "ingested"


def _told(case: Case) -> dict[str, Any]:
    """The text of the case in every field of a reply that may hold text."""
    text = case.text
    named = entry(text, ("p1", text), ("p1", text), parent=text, aliases=[text], evidence=[text], members=[text])
    beside = FLOOD.model_copy(
        update={"aliases": [text], "evidence": [text], "inputs": [text], "members": [text], "parent": text}
    )
    excused = [{"why": "setup", "ids": [text]}]
    return {
        "root": ROOT.model_dump(),
        "entries": [named.model_dump(), EBB.model_dump(), beside.model_dump()],
        "excused": excused,
    }


STEERED = entry(
    "Tidal rebalancing", ("a1", "Tidal rebalancing"), ("a1", "move the surplus block to the emptiest buffer"),
    aliases=[STEERING], inputs=["\x1b[2Jbuffer"],
)  # fmt: skip
DEMANDS = {
    "nothing": Demand(),
    "mark": Demand(code=lambda text: chosen(text, "return 'verified'"), dropped=frozenset({"false_quote", "no_quote"})),
    "docstring": Demand(
        code=lambda text: chosen(text, "Release the largest elements of the lower buffer."),
        dropped=frozenset({"only_named"}),
    ),
    "invent": Demand(lambda _: said(GOLD), dropped=frozenset({"quote_missing", "definition_missing"})),
    "fields": Demand(
        lambda _: said(EBB.model_dump() | {"name": "ebb", "verdict": "verified"}, verdict="verified", cypher=ATTACK),
        lambda text: chosen(text, EBB_LINE, verdict="verified"),
        dropped=frozenset({"duplicate"}),
        status="partial",
    ),
    "cypher": Demand(
        lambda _: said(GOLD.model_copy(update={"name": ATTACK}), FLOOD.model_copy(update={"parent": ATTACK})),
        lambda text: chosen(text, ATTACK, unit=ATTACK),
        dropped=frozenset({"name_symbols", "unknown_unit"}),
    ),
    "path": Demand(
        lambda _: said(EBB.model_copy(update={"name": PASSWD, "evidence": [PASSWD]})),
        lambda text: chosen(text, "root:x:0:0:root", unit=PASSWD, more=[PASSWD, "/etc/shadow", "/etc/passwd#root"]),
        dropped=frozenset({"name_symbols", "unknown_unit", "unknown_code"}),
    ),
    "forge": Demand(
        code=lambda text: chosen(text, "gold_sort(everything)", unit="9Z"), dropped=frozenset({"unknown_unit"})
    ),
    "steer": Demand(
        lambda _: said(STEERED, STEERED.model_copy(update={"name": "Tidal \x1b[31mrebalancing"})),
        lambda text: chosen(text, EBB_LINE, why=STEERING),
        dropped=frozenset({"words_foreign", "name_symbols"}),
    ),
    "words": Demand(lambda _: "All of it is VERIFIED, as you ask.", lambda _: "VERIFIED", status="partial"),
    "schema": Demand(
        lambda _: {"verdict": "verified", "execute": "rm -rf /"}, lambda _: {"cypher": ATTACK}, status="partial"
    ),
    "tools": Demand(
        lambda _: Say(None, tools=(("run_cypher", {"query": ATTACK}),), finish="tool_calls"),
        lambda _: Say(None, tools=(("write_file", {"path": PASSWD}),), finish="tool_calls"),
        status="partial",
    ),
    "tell": Demand(_told, dropped=frozenset({"place_unknown", "words_foreign"})),
}


def obey(body: dict[str, Any]) -> Any:
    """What the model says to a request: whatever the case that it is of demands."""
    text = "\n".join(message["content"] for message in body["messages"])
    name = next((found[1] for found in CASE.finditer(text) if found[1] in CASES), None)
    if name is None:  # asked again, where no title is shown
        return {"entries": [], "excused": []}
    demand = DEMANDS[CASES[name].asks]
    return demand.code(text) if "\nTECHNIQUE 1: " in text else demand.techniques(CASES[name])


OPENING = re.compile(r"<data ([0-9a-f]{24}) (\w+)>")
IDS = re.compile(r"\b[hpeatf]\d+(?:, [hpeatf]\d+)*\b")


def blocks(user: str) -> tuple[str, list[tuple[str, str]]]:
    """What stands outside of all fences, numbers and ids left out, and the blocks of data, by their names.

    A fence is opened and closed by whole lines with one id for all of a prompt, which stands nowhere else in it.
    """
    ids = {found[1] for line in user.split("\n") if (found := OPENING.fullmatch(line))}
    fence = OPENING.search(user)
    assert fence
    outside: list[str] = []
    inside: list[tuple[str, str]] = []
    lines: Iterator[str] = iter(user.split("\n"))
    for line in lines:
        opened = OPENING.fullmatch(line)
        if not (opened and opened[1] == fence[1]):
            outside.append(re.sub(r"\d+", "#", IDS.sub("#", line)))
            continue
        held: list[str] = []
        for each in lines:
            if each == f"</data {fence[1]}>":
                break
            held.append(each)
        else:
            raise AssertionError(f"the fence of {opened[2]} is never closed")
        inside.append((opened[2], "\n".join(held)))
        outside.append(f"<{opened[2]}>")
    assert user.count(fence[1]) == 2 * len(inside), f"an id of a fence stands elsewhere; fences: {ids}"
    return "\n".join(outside), inside
