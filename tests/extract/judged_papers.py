"""A small paper with something for every check, and answers about it."""

import tempfile
from pathlib import Path
from typing import Any

from ingest.extract.judged.numbering import read_passages
from ingest.extract.judged.passages import Passages
from ingest.extract.judged.reply import SaidEntry, SaidExcuse, SaidTechniques
from ingest.latex import parse_paper

PAPER = r"""
\begin{abstract}
We propose Tidal Sorting, which sorts streams in bounded memory. Tidal Sorting is 3.2 times faster than merge sorting on
long streams.
\end{abstract}
\section{Introduction}
Sorting is old. Merge sorting \cite{knuth} keeps all runs on disk and joins them in one last pass over the data.
\section{Method}\label{sec:method}
Tidal Sorting keeps two buffers and moves elements between them like a tide, as Algorithm~\ref{alg:tide} shows.
\subsection{The ebb step}
Our ebb step is a pass over the lower buffer $D$ that releases the largest elements of the sketch $\tilde{D}$.
The buffer median is computed by sampling the lower buffer:
\begin{equation}\label{eq:median} m = \mathrm{median}(b_1, \dots, b_n) \end{equation}
where $b_i$ are its elements.\footnote{We never sample the upper buffer.}
\subsection{The flood step}
We call the second pass the \emph{flood step}. The flood step merges released elements into the upper buffer.
\begin{algorithm}
\caption{Tidal rebalancing}\label{alg:tide}
\begin{algorithmic}
\STATE select the fullest buffer by its load
\STATE move the surplus block to the emptiest buffer
\end{algorithmic}
\end{algorithm}
\subsection{Watermarks}
The watermark is the smallest element that may still arrive, and it is kept per source.
\section{Experiments}
We compare Tidal Sorting with merge sorting on the Harbour data set.
\begin{table}\caption{Seconds on Harbour.}\begin{tabular}{lr} Tidal Sorting & 17.5 \\ merge sorting & 56 \end{tabular}
\end{table}
\begin{thebibliography}{9}\bibitem{knuth} D. Knuth. Sorting and Searching. 1973.\end{thebibliography}
"""


def entry(name: str, naming: tuple[str, str], *definition: tuple[str, str], **more: Any) -> SaidEntry:
    """An entry as a model says it; of a technique that is used, unless told otherwise."""
    quotes = [{"at": at, "quote": quote} for at, quote in (naming, *definition)]
    fixed = {"name": name, "naming": quotes[0], "definition": quotes[1:]}
    return SaidEntry.model_validate({"kind": "technique", "status": "used", "parent": "", **fixed, **more})


def excuse(why: str, *ids: str) -> SaidExcuse:
    return SaidExcuse.model_validate({"why": why, "ids": list(ids)})


ROOT = entry(
    "Tidal Sorting", ("p1", "Tidal Sorting"),
    ("p1", "We propose Tidal Sorting, which sorts streams in bounded memory."),
    kind="methodology", status="proposed",
)  # fmt: skip
EBB = entry(
    "ebb step", ("p4", "ebb step"),
    ("p4", "Our ebb step is a pass over the lower buffer $D$ that releases the largest elements"),
    status="proposed", evidence=["e1"], inputs=["the lower buffer"], outputs=["largest elements"],
)  # fmt: skip
MEDIAN = entry(
    "buffer median", ("p4", "The buffer median"), ("p4", "The buffer median is computed by sampling the lower buffer"),
    parent="ebb step", evidence=["e1"],
)  # fmt: skip
FLOOD = entry(
    "flood step", ("p6", "flood step"), ("p6", "The flood step merges released elements into the upper buffer."),
    aliases=["second pass"], status="proposed",
)  # fmt: skip
REBALANCING = entry(
    "Tidal rebalancing", ("a1", "Tidal rebalancing"), ("a1", "move the surplus block to the emptiest buffer"),
    parent="flood step", evidence=["a1"],
)  # fmt: skip
WATERMARK = entry(
    "watermark", ("p7", "watermark"), ("p7", "The watermark is the smallest element that may still arrive"),
)  # fmt: skip
FASTER = entry(
    "Tidal Sorting is faster", ("p1", "Tidal Sorting is 3.2 times faster"),
    ("p1", "Tidal Sorting is 3.2 times faster than merge sorting on long streams."), kind="finding", status="proposed",
    finding={"subject": "Tidal Sorting", "comparator": "merge sorting", "number": "3.2", "dataset": "long streams"},
)  # fmt: skip
GOOD = SaidTechniques(root=ROOT, entries=[EBB, MEDIAN, FLOOD, REBALANCING, WATERMARK, FASTER])
"""An answer in which everything is true."""


def passages_of_the_paper() -> Passages:
    """The passages, for those who draw many examples and parse once."""
    with tempfile.TemporaryDirectory() as folder:
        text = f"\\documentclass{{article}}\n\\begin{{document}}\n{PAPER}\\end{{document}}\n"
        (Path(folder) / "main.tex").write_text(text, "utf-8")
        return read_passages(parse_paper(Path(folder)))
