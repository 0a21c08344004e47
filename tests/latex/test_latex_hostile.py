"""Whatever stands in the files, a document comes out, and soon."""

# ruff: noqa: E501 -- samples of LaTeX stay on the line that authors write them on

from typing import Any

import pytest

DEEP = 20_000


@pytest.mark.parametrize(
    "text",
    [
        "{" * DEEP + "x" + "}" * DEEP, "{" * DEEP, "}" * DEEP, "\\section{" * DEEP, "$" * (DEEP + 1), "[" * DEEP, "\\emph{" * DEEP,
        "\\begin{itemize}" * DEEP, "\\end{x}" * DEEP, "\\begin{algorithm}" * 5_000 + "\\end{algorithm}" * 5_000, "\\verb|" * DEEP,
        "\\cite[" * DEEP, "\\iffalse " * DEEP, "\\begin{verbatim}" * DEEP, "%" * DEEP, "\n" * DEEP, "\\" * DEEP, "\0" * DEEP,
        "\\newcommand{\\a}{\\a\\a}\\a", "\\def\\a{\\b\\b}\\def\\b{\\a\\a}\\a", "\\newcommand{\\a}[9]{#1#9#9}\\a\\a\\a\\a\\a",
        "".join(f"\\def\\{chr(97 + n)}z{{\\{chr(98 + n)}z\\{chr(98 + n)}z}}" for n in range(24)) + "\\az \\section{\\az}",
        "\\def\\a#1\\b\\c" + "x" * DEEP, "\\def\\x" + "\\abcdefgh" * 200, "\\frac{" * DEEP, "\\footnote{" * DEEP, "$$ a " * 2_001,
        "\\bibitem{" * DEEP, "\\label{a}" * DEEP, "\\begin{equation}" * DEEP + "\\label{x}", "\\newtheorem{" * DEEP, "\\'" * DEEP,
        "\\setcounter{section}{99999999999}\\section{A}", "\\renewcommand{\\thesection}{\\thesection\\thesection}\\section{A}",
        "\\section{\\section{\\section{a}}}", "\\title{\\title{\\title{x}}}", "\\author{" + "\\and " * DEEP + "}",
    ],
    ids=lambda text: text[:24].encode("unicode_escape").decode(),
)  # fmt: skip
def test_nothing_is_too_deep_or_too_long(parse: Any, text: str) -> None:
    doc = parse(f"{text}\n\n\\end{{document}}").doc
    assert len(doc.warnings) <= 500


@pytest.mark.parametrize("name", ["refs.bib", "main.bbl", "mine.sty", "part.tex"])
@pytest.mark.parametrize("content", [b"", b"\0" * 999, b"\xff\xfe\x00", b"@" * 9_999, b"@a{" * 5_000, b"@article{k,title={" * 3_000,
                                     b"\\bibitem{k}" * 5_000, b"\\entry{k}{a}{}\\name{author}{9}{}{{{" * 500, bytes(range(256)) * 40])  # fmt: skip
def test_any_side_file(parse: Any, name: str, content: bytes) -> None:
    parsed = parse(r"\usepackage{mine}\input{part}\cite{k}\bibliography{refs}", {name: content})
    assert parsed.doc.citations


def test_a_cut_document_gives_what_can_be_had(parse: Any) -> None:
    doc = parse("\\documentclass{article}\\begin{document}\\section{A} text\n\n\\begin{equation} a", wrap=False).doc
    assert [section.title for section in doc.sections] == ["A"]
    assert [(w.message, w.file) for w in doc.warnings] == [("\\begin{equation} is never closed", "main.tex")]


def test_every_warning_names_an_existing_place(parse: Any, tmp_path: Any) -> None:
    doc = parse("$$ \\input{x} \\end{y} \\begin{z} \\cite{k} \\section no braces").doc
    assert len(doc.warnings) >= 5
    for warning in doc.warnings:
        assert 0 <= warning.start <= warning.end <= (tmp_path / warning.file).stat().st_size
