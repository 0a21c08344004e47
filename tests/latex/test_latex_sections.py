"""The section tree: order, levels, numbers as printed, appendix, extent."""

# ruff: noqa: E501 -- samples of LaTeX stay on the line that authors write them on

from collections.abc import Callable
from typing import Any


def numbers(parsed: Any) -> list[tuple[str, str, int]]:
    return [(section.number, section.title, section.level) for section in parsed.doc.sections]


def test_numbers_levels_and_parents(parse: Any) -> None:
    parsed = parse(
        r"\section{A}\subsection{B}\subsubsection{C}\paragraph{D.} text \subsection{E}\section*{F}\section{G}"
    )
    assert numbers(parsed) == [
        ("1", "A", 1), ("1.1", "B", 2), ("1.1.1", "C", 3), ("", "D", 4), ("1.2", "E", 2), ("", "F", 1), ("2", "G", 1),
    ]  # fmt: skip
    parents = {section.title: section.parent for section in parsed.doc.sections}
    assert parents == {"A": None, "B": "s/1", "C": "s/1.1", "D": "s/1.1.1", "E": "s/1", "F": None, "G": None}
    assert [section.id for section in parsed.doc.sections][3:6] == ["s/1.1.1/d", "s/1.2", "s/f"]


def test_chapters_take_the_first_level(parse: Any) -> None:
    parsed = parse(r"\chapter{One}\section{A}\subsection{B}\subsubsection{C}\appendix\chapter{Two}\section{D}")
    assert numbers(parsed) == [
        ("1", "One", 1), ("1.1", "A", 2), ("1.1.1", "B", 3), ("", "C", 4), ("A", "Two", 1), ("A.1", "D", 2),
    ]  # fmt: skip
    assert [section.appendix for section in parsed.doc.sections] == [False] * 4 + [True] * 2


def test_appendices_in_all_their_forms(parse: Any) -> None:
    for mark in ("\\appendix", "\\appendices", "\\begin{appendices}", "\\newcommand{\\sup}{\\appendix}\\sup"):
        parsed = parse(f"\\section{{A}}{mark}\\section{{B}}\\subsection{{C}}")
        assert [(s.number, s.appendix) for s in parsed.doc.sections] == [("1", False), ("A", True), ("A.1", True)], mark


def test_ieee_and_revtex_print_roman_numbers(parse: Any) -> None:
    body = r"\begin{document}\section{A}\section{B}\subsection{C}\end{document}"
    assert numbers(parse(r"\documentclass{IEEEtran}" + body, wrap=False))[2][0] == "II-A"
    assert numbers(parse(r"\documentclass[prl]{revtex4-2}" + body, wrap=False))[2][0] == "II.A"


def test_counters_and_their_look_can_be_set(parse: Any) -> None:
    parsed = parse(
        r"\newcommand{\beginsupplement}{\setcounter{section}{0}\renewcommand{\thesection}{S\arabic{section}}}"
        r"\section{A}\beginsupplement\section{B}\subsection{C}\setcounter{section}{6}\section{D}"
    )
    assert [section.number for section in parsed.doc.sections] == ["1", "S1", "S1.1", "S7"]


def test_extent_reaches_to_the_next_of_its_level(parse: Any, raw: Callable[[Any], bytes]) -> None:
    parsed = parse(
        "\\section{A} one\n\n\\subsection{B} two\n\n\\section{C} three\n\n\\begin{thebibliography}{9}\\end{thebibliography}"
    )
    a, b, c = parsed.doc.sections
    assert raw(a) == b"\\section{A} one\n\n\\subsection{B} two"
    assert raw(b) == b"\\subsection{B} two"
    assert raw(c) == b"\\section{C} three"


def test_titles_are_read_with_macros_and_short_forms(parse: Any) -> None:
    parsed = parse(
        "\\newcommand{\\sys}{\\textsc{Foo}\\xspace}\\section[short]{The \\sys system: $\\alpha$ \\& \\emph{more}}\n"
        "\\section{Two\n lines\\label{x}}"
    )
    assert [section.title for section in parsed.doc.sections] == ["The Foo system: α & more", "Two lines"]


def test_commands_that_only_mention_sections_make_none(parse: Any) -> None:
    text = r"\titleformat{\section}{\large}{}{0pt}{}\let\old\section\renewcommand{\section}[1]{\old{#1}}\titlespacing*\section{0pt}{1pt}{2pt}"
    assert not parse(text).doc.sections


def test_what_is_outside_the_document_is_none(parse: Any) -> None:
    text = "\\documentclass{article}\\section{No}\\begin{document}\\section{Yes}\\end{document}\\section{No}"
    assert [section.title for section in parse(text, wrap=False).doc.sections] == ["Yes"]


def test_a_fragment_without_a_document_is_read_whole(parse: Any) -> None:
    assert [section.title for section in parse("\\section{Yes} text", wrap=False).doc.sections] == ["Yes"]


def test_ids_do_not_repeat(parse: Any) -> None:
    ids = [s.id for s in parse(r"\section*{A}\section*{A}\section*{}\section*{}").doc.sections]
    assert ids == ["s/a", "s/a-2", "s/untitled", "s/untitled-2"]


def test_a_subfile_with_a_preamble_of_its_own(parse: Any) -> None:
    part = "\\documentclass[main]{subfiles}\n\\newcommand{\\x}{y}\n\\begin{document}\n\\section{Part} said \\x\n\\end{document}"
    parsed = parse("\\section{A}\\subfile{part}\\section{B}", {"part.tex": part})
    assert [section.title for section in parsed.doc.sections] == ["A", "Part", "B"]
    assert [paragraph.text for paragraph in parsed.doc.paragraphs] == ["said y"]
