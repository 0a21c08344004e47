"""Whatever stands in a .tex file, extraction ends and gives a tree."""

from collections.abc import Callable

import pytest
from extract_documents import PAPER, read
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.extract.outline import outline
from ingest.extract.sentences import sentences
from kg.models.technique import TechniqueTree

HOSTILE = {
    "deep braces": "{" * 20_000 + "x" + "}" * 20_000,
    "deep emphasis": "\\emph{" * 5_000 + "x" + "}" * 5_000,
    "deep footnotes": "\\footnote{a " * 3_000 + "}" * 3_000,
    "deep environments": "\\begin{itemize}\\item a " * 3_000 + "\\end{itemize}" * 3_000,
    "open commands": "\\cite{" * 20_000,
    "open maths": "$ a " * 20_001,
    "open displays": "\\[ a " * 5_000,
    "macro bomb": "\\def\\a{\\b\\b\\b\\b}\\def\\b{\\c\\c\\c\\c}\\def\\c{\\a\\a\\a\\a} \\a $\\a$",
    "own shorthand loop": "\\newcommand{\\be}{\\begin{equation}\\be} \\be x",
    "one long sentence": "we then compute the merge of the buffers and " * 8_000,
    "many headings": "\\section{Gadget fitting}" * 3_000,
    "many algorithms": "\\begin{algorithm}\\caption{a}\\STATE move it to there\\end{algorithm}" * 500,
    "nested parentheses": "\\section{" + "(" * 5_000 + "Tidal sorting" + ")" * 5_000 + "}",
    "nulls": "Tidal \x00 sorting \x00\x00 \\section{\x00}",
    "blanks in a row": "\\subsection{Scale functions}\nWe use scale functions.\n\\begin{equation}\nx_1"
    + " " * 5_000
    + "y\\end{equation}",
    "one long word": "We propose " + "A" * 100_000 + "\u00e9. \\subsection{" + "A" * 100_000 + "\u00e9}",
    "only marks": "\\section{---} \\paragraph{:} \\item \\caption{.} []()",
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_documents_give_a_tree(tree: Callable[..., TechniqueTree], name: str) -> None:
    result = tree("\\section{Method}\n" + HOSTILE[name] + "\n")
    assert len(result.items) <= 25


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_mutated_papers_are_read_with_true_offsets(data: st.DataObject) -> None:
    text = PAPER
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 40))
        text = (
            text[:at]
            + data.draw(st.sampled_from(["{", "}", "$", "\\", "\\item", "%", "\\end{x}", "\x00", ""]))
            + text[at + cut :]
        )
    reading = read(text)
    plan = outline(reading)
    for sentence in sentences(reading, plan):
        assert 0 <= sentence.start <= sentence.end <= len(text)
        assert sentence.node < len(plan.nodes)
