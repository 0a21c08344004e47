"""What TeX does not read yields nothing; what looks like it but is read, stays."""

# ruff: noqa: E501 -- samples of LaTeX stay on the line that authors write them on

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.latex.mask import Verbatims, mask


@pytest.mark.parametrize(
    "hidden",
    [
        "% X", "a % X\n", "\\begin{comment}X\\end{comment}", "\\iffalse X \\fi", "\\iffalse a \\ifx b X \\fi X \\fi",
        "\\iffalse X \\else kept \\fi", "a\n\\endinput\nX", "\\if0 X \\fi", "\\\\% X",
    ],
)  # fmt: skip
def test_unread_text_is_blanked(hidden: str) -> None:
    masked = mask(hidden, Verbatims())
    assert "X" not in masked.text
    assert len(masked.text) == len(hidden)


@pytest.mark.parametrize(
    "shown",
    [
        "\\% X",
        "\\let\\ifdraft\\iffalse X \\fi",
        "\\url{a%20X}",
        "\\iffalse X",
        "\\iff X \\fi",
        "\\verb|%|X",
        "a\\%\\% X",
    ],
)
def test_read_text_stays(shown: str) -> None:
    assert "X" in mask(shown, Verbatims()).text


def test_listings_stay_readable_but_are_not_scanned(parse: Any) -> None:
    parsed = parse("\\begin{lstlisting}\n\\section{X} % note\n\\end{lstlisting} \\verb+\\cite{x}+")
    assert not parsed.doc.sections
    assert not parsed.doc.citations
    assert "% note" in parsed.doc.algorithms[0].latex


def test_declared_listings_are_listings_too(parse: Any) -> None:
    parsed = parse("\\lstnewenvironment{python}{}{}\n\\begin{python}\n\\section{X}\n\\end{python}\n\\section{Y}")
    assert [section.title for section in parsed.doc.sections] == ["Y"]


def test_a_comment_line_is_no_paragraph_break(parse: Any) -> None:
    assert [p.text for p in parse("one\n  % remark\ntwo\n\nthree % tail\n\nfour").doc.paragraphs] == [
        "one two",
        "three",
        "four",
    ]


def test_unclosed_blocks_are_reported(parse: Any) -> None:
    parsed = parse("\\begin{comment} a \\section{Still there}")
    assert "never closed" in parsed.doc.warnings[0].message
    assert parsed.doc.sections


@given(st.lists(st.sampled_from(["%", "\\", "a", "\n", "\r", " ", "\\iffalse", "\\fi", "\\begin{comment}", "\\end{comment}",
                                 "\\verb|", "|", "\\else", "\\begin{verbatim}", "\\end{verbatim}", "{", "}"])))  # fmt: skip
def test_length_is_kept(tokens: list[str]) -> None:
    text = "".join(tokens)
    masked = mask(text, Verbatims())
    assert len(masked.text) == len(masked.scan) == len(text)
    assert all(b in (a, " ") for a, b in zip(text, masked.text, strict=True))
