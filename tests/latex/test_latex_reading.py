"""LaTeX is read into words with their places: macros, maths, floats, footnotes, accents."""

import tempfile
from pathlib import Path

import pytest

from ingest.latex import parse_paper
from ingest.latex.reading import Block, Reading, text_of


def read(latex: str) -> Reading:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "main.tex").write_text(latex, encoding="utf-8")
        return parse_paper(Path(folder), "main.tex").reading


def text(latex: str) -> str:
    return " | ".join(text_of(block.tokens) for block in read(latex).blocks)


def block(latex: str, zone: str) -> Block:
    return next(block for block in read(latex).blocks if block.zone == zone)


def test_maths_becomes_part_of_a_word() -> None:
    assert text("We use $k$-means and top-$k$ and $\\ell_2$ norms.") == "We use k-means and top-k and ℓ_2 norms."


def test_own_macros_are_written_out() -> None:
    latex = (
        "\\newcommand{\\ours}{SciThing\\xspace}\\newcommand{\\R}{\\mathbb{R}}\\begin{document}\\ours{} is in $\\R^2$."
    )
    assert text(latex) == "SciThing is in R^2."


def test_macros_with_arguments_are_written_out_in_maths() -> None:
    latex = "\\newcommand{\\pr}[1]{p(#1)}\\begin{document}Then \\[ \\pr{x} = 1 \\] holds."
    assert text(latex) == "Then p(x) = 1 holds."


def test_an_own_way_to_refer_prints_no_key() -> None:
    latex = (
        "\\renewcommand{\\eqref}[1]{\\ref{eq:#1}}\\newcommand{\\Eq}[1]{Equation~(\\eqref{#1})}"
        "\\newcommand{\\eq}[1]{\\Eq{#1}}\\begin{document}By rewriting \\eq{the-kernel} as sums."
    )
    assert text(latex) == text("By rewriting \\ref{the-kernel} as sums.")
    assert "the-kernel" not in text(latex)


def test_margin_notes_are_not_read() -> None:
    assert text("\\newcommand{\\todo}[1]{}\\begin{document}Good\\todo{bad} words.") == "Good words."


def test_an_environment_may_hide_in_a_macro() -> None:
    latex = (
        "\\newcommand{\\balg}[1][h]{\\begin{algorithm}[#1]}\\newcommand{\\ealg}{\\end{algorithm}}\\begin{document}"
        "Before.\\balg select the best\\; \\caption{Greedy choice}\\ealg After."
    )
    reading = read(latex)
    assert len(reading.algorithms) == 1
    assert block(latex, "caption").tokens[0].text == "Greedy"
    assert "select" not in text(latex)


def test_captions_and_footnotes_are_blocks_of_their_own() -> None:
    latex = (
        "One\\footnote{A note.} two. \\begin{figure}\\includegraphics{x}\\caption{A \\emph{plot}}\\end{figure} Three."
    )
    assert text_of(block(latex, "footnote").tokens) == "A note."
    assert text_of(block(latex, "caption").tokens) == "A plot"
    assert text_of(block(latex, "text").tokens) == "One two."


def test_accents_and_split_words() -> None:
    assert text("M\\\"uller and Caf\\'e, \\textbf{A}lgorithm.") == "Müller and Café, Algorithm."


def test_offsets_point_into_the_source() -> None:
    latex = "% comment\nSome words % more\nhere and {\\bf there}."
    for token in read(latex).blocks[0].tokens:
        assert latex[token.start : token.end] == token.text


def test_comments_and_verbatim_are_not_read() -> None:
    assert text("a % b\n c \\begin{verbatim} {{{ \\end{verbatim} d \\iffalse e \\fi f") == "a c | d f"


def test_rows_of_a_display_are_told_apart() -> None:
    latex = "Take \\begin{alignat}{2} a &= \\frac12 \\\\[2pt] [b] &= \\sqrt[3]{x} \\\\ \\end{alignat} then."
    assert text(latex) == "Take a = 1/2; [b] = √(x) then."


def test_a_length_behind_a_line_break_is_not_read() -> None:
    assert text("A model\\\\[10pt] is a \\\\*[1em] map.") == "A model is a map."


@pytest.mark.parametrize("definition", ["", r"\newcommand{\ie}{i.e.\ }", r"\def\ie{\emph{i.e.}\xspace}"])
def test_abbreviations_keep_their_points(definition: str) -> None:
    assert text(definition + "\\begin{document}A model, \\ie a map.") == "A model, i.e. a map."


def test_names_with_points_stay_together() -> None:
    latex = "A class extending \\texttt{torch.autograd.Function} (e.g, a sum). It is one."
    assert text(latex) == "A class extending torch.autograd.Function (e.g, a sum). It is one."


def test_quotation_marks_stand_at_what_is_quoted() -> None:
    said = text(
        "Here, ``position'' is a vector (``par'') that \"others\" call 'it', or `that'. ``Yes.'' \\emph{``in''} it's."
    )
    assert said == ('Here, "position" is a vector ("par") that "others" call \'it\', or \'that\'. "Yes." "in" it\'s.')


@pytest.mark.parametrize(
    ("latex", "said"),
    [
        (r"We merge (see Section~\ref{s}) and go (Sections \ref{s} and~\ref{t}).", "We merge and go."),
        (r"It sweeps (Algorithm~\ref{a}, Figure~\ref{f}).", "It sweeps."),
        (r"It sweeps (in the plane of Figure~\ref{f}).", "It sweeps (in the plane of Figure)."),
        (r"It sweeps (see the section).", "It sweeps (see the section)."),
        (f"It sweeps ({'§' * 60} x\\ref{{s}}).", f"It sweeps ({'§ ' * 60}x)."),
        (r"It sweeps (§§\ref{s}).", "It sweeps."),
    ],
)
def test_brackets_that_only_point_are_dropped(latex: str, said: str) -> None:
    assert text(latex) == said
