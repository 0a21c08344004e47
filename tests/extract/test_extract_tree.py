"""The tree nests by structure, has no shells, and every span gives back the bytes it speaks of."""

from collections.abc import Callable
from pathlib import Path

import pytest
from extract_documents import PAPER, find

from ingest.extract import StructuralExtractor, TechniqueExtractor
from ingest.latex import ParsedPaper
from kg.models.technique import Technique, TechniqueTree

Grow = Callable[..., TechniqueTree]


def names(item: Technique) -> list[str]:
    return [child.name for child in item.children]


def test_the_extractor_fits_the_protocol() -> None:
    assert isinstance(StructuralExtractor(), TechniqueExtractor)


def test_steps_stand_under_the_heading_that_encloses_them(tree: Grow) -> None:
    assert "computing the buffer median by sampling the lower buffer" in names(find(tree(PAPER), "ebb step"))


def test_lines_of_pseudo_code_are_steps_of_their_algorithm_and_no_items(tree: Grow) -> None:
    grown = tree(PAPER)
    lines = ("select the fullest buffer by its load", "move the surplus block to the emptiest buffer")
    assert find(grown, "Buffer rebalancing").steps == lines
    assert not any("surplus" in item.name for item in grown.walk())


def test_no_empty_shells(tree: Grow) -> None:
    shells = {"introduction", "method", "experiments", "setup", "results", "conclusion"}
    assert not shells & {item.name.lower() for item in tree(PAPER).walk()}


def test_the_top_is_short_and_scores_are_shares(tree: Grow) -> None:
    words = (
        "amber birch coral delta ember flint grape hazel ivory jade koala lemon mango nylon olive pearl quartz river"
    )
    more = "sable tulip umber velvet willow xenon yarrow zebra acorn basil cedar daisy"
    sections = "\n".join(
        f"\\section{{Gadget {word} fitting}} We fit the {word} gadget by turning its {word} screw. It holds."
        for word in f"{words} {more}".split()
    )
    result = tree(sections)
    assert 10 < len(result.items) <= 25
    assert all(0 <= item.score <= 1 for item in result.walk())


def test_ids_are_unique_and_made_of_names(tree: Grow) -> None:
    ids = [item.id for item in tree(PAPER).walk()]
    assert len(ids) == len(set(ids))
    assert "watermark-tracking" in ids


def test_ids_stay_unique_beside_names_that_end_on_a_number(tree: Grow) -> None:
    result = tree(
        "\\section{Method}\n\\subsection{River tree}\nThe river tree is a tree of rivers that sorts by keys.\n"
        "\\subsection{River tree 2}\nThe second river tree 2 is a tree of values that hashes the keys of lakes.\n"
        "\\begin{theorem}[River tree]A tree sorts.\\end{theorem}\n",
        "\\documentclass{article}\n\\newtheorem{theorem}{Theorem}\n\\title{Rivers}\n\\begin{document}\n\\maketitle\n",
    )
    ids = [item.id for item in result.walk()]
    assert len(ids) == len(set(ids)) == 3


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "own",
    [
        "\\begin{algorithm}\\caption{Tidemark}\\STATE move it\\end{algorithm}",
        "\\paragraph{Tidemark} It sorts.",
        "\\textbf{Tidemark.} It sorts.",
        "\\begin{itemize}\\item \\textbf{Tidemark} sorts.\\end{itemize}",
    ],
)
def test_the_papers_own_name_may_stand_below_a_heading_that_repeats_it(tree: Grow, own: str) -> None:
    body = (
        "\\section{Method}\n\\subsection{The Tidemark sorting algorithm}\nTidemark sorts a stream. "
        "We run Tidemark once. Tidemark keeps a buffer. Tidemark ends. With Tidemark all is sorted.\n" + own
    )
    title = "\\documentclass{article}\n\\title{Tidemark: sorting streams}\n\\begin{document}\n\\maketitle\n"
    assert find(tree(body, title), "Tidemark")


def test_spans_are_bytes_of_the_file(parse: Callable[..., ParsedPaper], tmp_path: Path) -> None:
    parsed = parse("\\section{Méthode}\nÀ propos: ça coûte.\n" + PAPER)
    result = StructuralExtractor().extract(parsed)
    raw = (tmp_path / "main.tex").read_bytes()
    span = find(result, "ebb step").spans[0]
    assert raw[span.start : span.end].decode().startswith("The ebb step is a pass")
    assert all(0 <= s.start < s.end <= len(raw) for item in result.walk() for s in item.spans)
    assert all(item.spans for item in result.walk())


def test_the_same_paper_gives_the_same_tree(parse: Callable[..., ParsedPaper]) -> None:
    parsed = parse(PAPER)
    first = StructuralExtractor().extract(parsed).model_dump_json()
    assert first == StructuralExtractor().extract(parsed).model_dump_json()


def test_related_work_and_thanks_give_no_techniques(tree: Grow) -> None:
    body = r"""\section{Related work} \paragraph{Glow merging.} Others use glow merging \cite{a}.
    \section{Acknowledgements} \paragraph{Kind helpers.} We thank the kind helpers."""
    assert [item.name for item in tree(body).walk() if item.score > 0.5] == []


def test_a_paper_without_words_is_an_empty_tree(tree: Grow) -> None:
    assert tree("").items == ()
