"""What is refused as no technique, beside what honest papers say in nearly the same words and keep."""

from collections.abc import Callable

import pytest
from extract_documents import find, read

from ingest.extract.outline import outline
from ingest.extract.phrases import named
from ingest.extract.sentences import sentences
from ingest.extract.steps import steps
from kg.models.technique import TechniqueTree

Grow = Callable[..., TechniqueTree]


def names(tree: TechniqueTree) -> set[str]:
    return {item.name for item in tree.walk()}


def told(text: str) -> list[str]:
    reading = read("\\section{Method} " + text)
    return [candidate.name for candidate in steps(sentences(reading, outline(reading)))]


def said(text: str, source: str) -> list[str]:
    reading = read("\\section{Method} " + text)
    return [each.name for each in named(sentences(reading, outline(reading))) if each.source == source]


@pytest.mark.parametrize(
    "text",
    [
        "The idea is to sort the tidal buffer.",
        "The gap is closed by sorting the tidal buffer.",
        "We can sort the tidal buffer.",
        "The tidal buffer is sorted.",
        "We propose to sort the tidal buffer.",
        "Our approach is to sort the tidal buffer.",
    ],
)
def test_a_step_is_what_the_authors_say_they_do(text: str) -> None:
    assert told(text) == ["sorting the tidal buffer"]


@pytest.mark.parametrize(
    "text",
    [
        "Parity has been used to sort the tidal buffer.",
        "It is difficult to sort the tidal buffer.",
        "If we sort the tidal buffer, little is won.",
        "One could sort the tidal buffer.",
        "A server can sort the tidal buffer.",
        "Others have long been sorting the tidal buffer.",
        "In Section~\\ref{s}, we sort the tidal buffer.",
        "They close the gap by sorting the tidal buffer.",
        "There is a gap in the tidal buffer being sorted.",
    ],
)
def test_purposes_conditions_possibilities_and_what_others_do_are_no_steps(text: str) -> None:
    assert told(text) == []


def test_repetition_alone_is_no_technique(tree: Grow) -> None:
    often = "The spare compartment is full. Each spare compartment is old. No spare compartment holds water. "
    body = rf"""\section{{Method}} {often * 3} RiverNet compression is fast. We like RiverNet compression. It helps
    RiverNet compression. RiverNet compression saves space. RiverNet compression is good."""
    found = names(tree(body))
    assert "spare compartment" not in found
    assert "RiverNet compression" in found


def test_titles_below_trials_name_tasks_but_a_named_thing_may_be_handled_there(tree: Grow) -> None:
    body = r"""\section{Tidal sorting} We sort in tides. \section{Experimental results} \subsection{Harbour mapping} We
    map a harbour. Harbour mapping is hard. \subsection{Storing Q-tides} Storing Q-tides needs room. We like storing
    Q-tides. Storing Q-tides ends. \begin{itemize} \item[Greedy piling] piles up. \end{itemize} Greedy piling is cheap.
    With greedy piling we pile. Greedy piling ends. \section{Theoretical results} \subsection{Bounded tiding} It is."""
    found = names(tree(body))
    assert "Harbour mapping" not in found
    assert {"Tidal sorting", "Storing Q-tides", "Greedy piling", "Bounded tiding"} <= found


def test_one_sentence_defines_one_item(tree: Grow) -> None:
    body = r"""\section{Ebb sorting} We call this walk the \emph{ebb walk} and compute the buffer median by halving the
    lower buffer. Ebb sorting is a pass over the lower buffer. The ebb walk is fast. \section{Flood sorting} Flood
    sorting is a pass over the upper buffer."""
    found = tree(body)
    texts = [item.definition.split(".")[0] for item in found.walk()]
    assert len(texts) == len(set(texts))
    assert find(found, "ebb walk").definition.startswith("We call this walk")
    assert find(found, "Ebb sorting").definition.startswith("Ebb sorting is a pass")


def test_a_definition_points_nowhere_and_states_the_idea(tree: Grow) -> None:
    body = r"""\section{Ebb sorting} Figure~\ref{f} illustrates ebb sorting. This makes ebb sorting fast. In the next
    part we explain how ebb sorting works. The idea is to release the largest elements of the lower buffer first."""
    assert find(tree(body), "Ebb sorting").definition.startswith("The idea is to release")


def test_what_is_defined_is_the_subjects_head() -> None:
    assert said("The tidal trace of a firing cell is given by $$a=b$$ here.", "definition") == ["tidal trace"]
    assert said("Thus, for a given cell, the tidal trace of its third wire is defined as $$a=b$$.", "definition") == [
        "tidal trace"
    ]
    assert said("There is a tidal coordinate where $$a=b$$ holds.", "definition") == []
    assert said("The tidal loss is bounded by $$a=b$$.", "definition") == []
    assert said("The dominant costs in a tidal buffer are the sorts of it.", "definition") == []


def test_what_is_used_with_its_source_at_once() -> None:
    assert said(r"We sample using a variant of the Ebb and Flow framework \cite{a}.", "instrument") == [
        "Ebb and Flow framework"
    ]
    assert said(r"We use Tidal-XBound \cite{a} to bound it.", "instrument") == ["Tidal-XBound"]
    assert said(r"One could use Tidal-XBound \cite{a} to bound it.", "instrument") == []
    assert said(r"We use a sieve of the largest kind, unlike others \cite{a}.", "instrument") == []


def test_what_is_counted_and_spelled_out() -> None:
    text = "There are two costs: a harbour cost that tells how near the pier is, and a lane cost."
    assert said(text, "enumerated") == ["harbour cost", "lane cost"]
    assert said("It depends on two of them: a harbour cost is high.", "enumerated") == ["harbour cost"]
    assert said("There is a rule: a harbour cost is high.", "enumerated") == []


def test_rows_of_equations_under_a_collective_title(tree: Grow) -> None:
    rows = r"\begin{align} w_0(q) &= q \\ w_1(q) &= q^2 \end{align}"
    found = tree(rf"\section{{Tidal weights}} They are these: {rows} Each is smooth.")
    assert find(found, "w_1 tidal weight").definition.startswith("w_1(q) = q")
    assert "w_1 buffer" not in names(tree(rf"\section{{Size of buffers}} They are these: {rows}"))


def test_the_papers_own_name_is_the_root(tree: Grow) -> None:
    body = r"""\section{Introduction} Tidemark sorts. \section{The sorting algorithm} Tidemark has parts. It halves.
    \subsection{Ebb walking} Tidemark walks. In Tidemark, we walk. We like Tidemark."""
    head = "\\documentclass{article}\n\\title{Tidemark: Sorting Streams}\n\\begin{document}\n\\maketitle\n"
    (root, *others) = tree(body, head).items
    assert (root.name, root.aliases) == ("Tidemark", ("sorting algorithm",))
    assert [child.name for child in root.children] == ["Ebb walking"]
    assert not others
    plain = tree(body, head.replace("Tidemark: ", "On "))
    assert "Tidemark" not in names(plain)
    assert "sorting algorithm" in names(plain)


def test_an_acronym_of_the_titles_words_needs_no_parentheses(tree: Grow) -> None:
    head = "\\documentclass{article}\n\\title{Learning with bounded rivers of tides}\n\\begin{document}\n\\maketitle\n"
    body = r"\section{Method} BROT sorts. We run BROT. We like BROT. In BROT, rivers are bounded. BROT is fast."
    assert find(tree(body, head), "BROT").name == "bounded rivers of tides"


def test_a_child_that_says_no_more_than_its_parent_is_an_alias(tree: Grow) -> None:
    body = r"""\section{Tidal buffer rebalancing} We move elements. \paragraph{Buffer rebalancing.} It moves them up.
    \subsection{Tidal rebalancing} It is another one. \section{Tidal sieve and buffer balance} We do both.
    \paragraph{Tidal sieve.} It lets elements through."""
    found = tree(body)
    assert "Buffer rebalancing" in find(found, "Tidal buffer rebalancing").aliases
    assert {"Tidal rebalancing", "Tidal sieve", "Tidal sieve and buffer balance"} <= names(found)


def test_a_proof_tells_no_technique(tree: Grow) -> None:
    step = "We then compute the gradient of the tidal loss."
    head = r"\section{Tidal descent} Tidal descent is a way down to the sea."
    assert "computing the gradient of the tidal loss" in names(tree(f"{head} {step}"))
    proof = rf"{head} \begin{{proof}} {step} \end{{proof}} It ends."
    assert "computing the gradient of the tidal loss" not in names(tree(proof))
