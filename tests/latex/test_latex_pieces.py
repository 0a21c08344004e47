"""Floats, listings, theorems, labels, references, citations."""

# ruff: noqa: E501 -- samples of LaTeX stay on the line that authors write them on

from collections.abc import Callable
from typing import Any

import pytest


def test_figures_and_tables(parse: Any, raw: Callable[[Any], bytes]) -> None:
    figure = "\\begin{figure*}[t]\\includegraphics[width=1cm]{a/b.pdf}\\begin{subfigure}{1cm}\\caption{Sub}\\end{subfigure}\\caption[s]{A \\emph{nice} one}\\label{f}\\end{figure*}"
    table = "\\begin{table}\\caption{Numbers}\\begin{tabular}{ll}a&b\\end{tabular}\\end{table}"
    doc = parse(f"{figure}\n{table}").doc
    assert (doc.figures[0].caption, doc.figures[0].label, doc.figures[0].graphics) == ("A nice one", "f", ("a/b.pdf",))
    assert raw(doc.figures[0]) == figure.encode()
    assert (doc.tables[0].caption, raw(doc.tables[0])) == ("Numbers", table.encode())
    assert not doc.paragraphs


def test_an_algorithm_is_one_piece_with_its_pseudo_code(parse: Any) -> None:
    doc = parse(
        r"\begin{algorithm}\caption{Sort}\begin{algorithmic}[1]\State x\label{l}\end{algorithmic}\label{a}\end{algorithm}"
    ).doc
    (algorithm,) = doc.algorithms
    assert (algorithm.caption, algorithm.label) == ("Sort", "l")
    assert {label.target for label in doc.labels} == {algorithm.id}


@pytest.mark.parametrize(
    "env", ["algorithm2e", "algorithmic", "lstlisting", "minted", "verbatim", "Verbatim", "Algorithm"]
)
def test_listing_environments(parse: Any, env: str) -> None:
    assert parse(f"\\begin{{{env}}}\nx = 1\n\\end{{{env}}}").doc.algorithms[0].env == env


def test_listing_options_and_files(parse: Any) -> None:
    doc = parse(
        "\\begin{lstlisting}[caption={My code}, label=lst:a]\nx\n\\end{lstlisting}\\lstinputlisting[label=b]{x.py}"
    ).doc
    assert [(a.caption, a.label) for a in doc.algorithms] == [("My code", "lst:a"), ("", "b")]


def test_theorems_own_and_known(parse: Any) -> None:
    doc = parse(
        r"\newtheorem{obs}[theorem]{Observation}\begin{obs}[Key]\label{o} It \emph{holds}.\end{obs}"
        r"\begin{lemma}So.\end{lemma}\begin{proof}Clear.\end{proof}"
    ).doc
    assert [(t.env, t.title, t.text, t.label) for t in doc.theorems] == [
        ("obs", "Key", "It holds.", "o"),
        ("lemma", "", "So.", None),
    ]


def test_labels_name_the_innermost_piece(parse: Any) -> None:
    doc = parse(
        r"\section{A}\label{s}\begin{figure}\begin{center}\label{f}\end{center}\end{figure}"
        r"\begin{enumerate}\item\label{i} x\end{enumerate} \ref{s} \autoref{f} \cref{i,f,gone}"
    ).doc
    targets = {label.key: label.target for label in doc.labels}
    assert targets == {"s": "s/1", "f": "fig/f", "i": "s/1"}
    assert [(r.key, r.target) for r in doc.references] == [
        ("s", "s/1"),
        ("f", "fig/f"),
        ("i", "s/1"),
        ("f", "fig/f"),
        ("gone", None),
    ]


@pytest.mark.parametrize(
    ("source", "keys"),
    [
        (r"\cite{a}", ("a",)), (r"\citep[see][p.~3]{a, b}", ("a", "b")), (r"\citet*{a}", ("a",)), (r"\cite {a}", ("a",)),
        (r"\parencite[{x [1]}]{a}", ("a",)), (r"\cites[p. 1]{a}[2]{b}", ("a", "b")), (r"\textcites(pre)(post)[x]{a}{b}", ("a", "b")),
        ("\\cite{a,%\n  b\n}", ("a", "b")), (r"\nocite{*}", ("*",)), (r"\citeauthor{a}", ("a",)), (r"\Citet{a}", ("a",)),
        (r"\cite<see>[p. 1]{a}", ("a",)), (r"\volcite{2}[3]{a}", ("a",)), (r"\shortcite{a}", ("a",)), (r"\mycite{a}", ("a",)),
        (r"\citeyearpar{a:2020/x_y}", ("a:2020/x_y",)), (r"\footfullcite{a}", ("a",)), (r"\cite{a,,b}", ("a", "b")),
    ],
)  # fmt: skip
def test_citing_commands(parse: Any, raw: Callable[[Any], bytes], source: str, keys: tuple[str, ...]) -> None:
    (citation,) = parse(f"see {source} there").doc.citations
    assert citation.keys == keys
    assert raw(citation).decode() == source


@pytest.mark.parametrize(
    ("definition", "use", "keys"),
    [
        (r"\newcommand{\ct}{\citep}", r"\ct{a,b}", ("a", "b")), (r"\newcommand{\ct}[1]{(\citealp{#1})}", r"\ct{a}", ("a",)),
        (r"\def\smith{\citet{smith20}}", r"\smith", ("smith20",)), (r"\let\ct\citep", r"\ct[x]{a}", ("a",)),
        (r"\newcommand{\citeit}[2][]{\hyperlink{cite.#2}{#1}}", r"\citeit{a}", ("a",)),
        (r"\newcommand{\ct}[2]{#1~\cite{pre:#2}}", r"\ct{who}{a}", ("pre:a",)), (r"\newcommand{\k}{a}", r"\cite{\k}", ("a",)),
    ],
)  # fmt: skip
def test_citing_through_own_commands(parse: Any, definition: str, use: str, keys: tuple[str, ...]) -> None:
    doc = parse(f"{definition} text {use} text").doc
    assert [citation.keys for citation in doc.citations] == [keys]


def test_what_does_not_cite(parse: Any) -> None:
    text = (
        r"\citestyle{x}\setcitestyle{y}\defcitealias{k}{Paper I}\newcommand{\unused}{\cite{no}}\excited{a}\recited{b}"
    )
    assert not parse(text).doc.citations


def test_references_through_own_commands(parse: Any) -> None:
    doc = parse(
        r"\newcommand{\Fig}[1]{Figure~\ref{fig:#1}}\section{A}\label{fig:a} \Fig{a} \secref{fig:a} \corref{x}"
    ).doc
    assert [(r.key, r.target) for r in doc.references] == [("fig:a", "s/1"), ("fig:a", "s/1")]
