"""Title, authors and abstract in the manner of many classes."""

# ruff: noqa: E501 -- samples of LaTeX stay on the line that authors write them on

from typing import Any

import pytest


@pytest.mark.parametrize(
    ("text", "authors"),
    [
        (r"\author{Ada Lovelace \and Alan M. Turing\thanks{King's}}", ("Ada Lovelace", "Alan M. Turing")),
        (r"\author{Ada Lovelace \\ University of London \\ \texttt{a@b.c} \And Alan Turing \\ ETH Zurich}", ("Ada Lovelace", "Alan Turing")),
        (r"\author{Ada Lovelace$^{1}$, Alan Turing$^{1,2}$ and Kurt G\"odel$^2$\\ $^1$London, $^2$Vienna}",
         ("Ada Lovelace", "Alan Turing", "Kurt Gödel")),
        (r"\author{\IEEEauthorblockN{Ada Lovelace\IEEEauthorrefmark{1}}\IEEEauthorblockA{Dept. X, London}\and\IEEEauthorblockN{Alan Turing}}",
         ("Ada Lovelace", "Alan Turing")),
        (r"\author{Ada Lovelace}\affiliation{London}\author{Alan Turing}", ("Ada Lovelace", "Alan Turing")),
        (r"\icmlauthor{Ada Lovelace}{lon}\icmlauthor{Alan Turing}{cam}", ("Ada Lovelace", "Alan Turing")),
        (r"\author[1]{Ada Lovelace}\author[2]{Alan Turing}\affil[1]{London}", ("Ada Lovelace", "Alan Turing")),
        (r"\author{Ada Lovelace\inst{1} \and Alan Turing\inst{2}}\institute{London \and Cambridge}", ("Ada Lovelace", "Alan Turing")),
        (r"\author{\name Ada Lovelace \email a@b.c \\ \addr London \AND \name Alan Turing \email t@c.d}", ("Ada Lovelace", "Alan Turing")),
        (r"\author*[1]{\fnm{Ada} \sur{Lovelace}}\email{a@b.c}", ("Ada Lovelace",)),
        (r"\author[A. Lovelace et al.]{Ada Lovelace,$^{1}$ Alan Turing$^{2}$\\ $^{1}$Institute of X}", ("Ada Lovelace", "Alan Turing")),
        (r"\author{\IEEEauthorblockN{1\textsuperscript{st} Ada Lovelace}\and\IEEEauthorblockN{2\textsuperscript{nd} Alan Turing}}",
         ("Ada Lovelace", "Alan Turing")),
        (r"\author[0000-0001-2345-6789]{Ada Lovelace}", ("Ada Lovelace",)),
    ],
)  # fmt: skip
def test_authors(parse: Any, text: str, authors: tuple[str, ...]) -> None:
    assert parse(text + r"\title{T}\maketitle").doc.authors == authors


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (r"\title{A \emph{fine} title\thanks{Funded}}", "A fine title"), (r"\title[Short]{A long one}", "A long one"),
        (r"\icmltitle{The one}", "The one"), (r"\newcommand{\sys}{Foo}\title{\sys: bar \\ baz}", "Foo: bar baz"),
        (r"\hypersetup{pdftitle={From the PDF}}", "From the PDF"), (r"\Title{Of a journal}", "Of a journal"),
        ("", ""),
    ],
)  # fmt: skip
def test_titles(parse: Any, text: str, title: str) -> None:
    assert (
        parse(f"\\documentclass{{article}}{text}\\begin{{document}}x\\end{{document}}", wrap=False).doc.title == title
    )


@pytest.mark.parametrize(
    "text",
    [
        r"\begin{abstract}We \emph{do} it.\end{abstract}", r"\abstract{We \emph{do} it. And more of it.}",
        r"\section*{Abstract} We \emph{do} it. \section{Introduction} Not here.",
        r"\begin{abstract}[EN] We do it.\end{abstract}",
    ],
)  # fmt: skip
def test_abstracts(parse: Any, text: str) -> None:
    abstract = parse(text).doc.abstract
    assert abstract.startswith("We do it.")
    assert "here" not in abstract


def test_the_title_page_is_no_running_text(parse: Any) -> None:
    doc = parse(r"\title{T}\author{Ada Lovelace}\address{London}\date{\today}\maketitle Only this.").doc
    assert [paragraph.text for paragraph in doc.paragraphs] == ["Only this."]
