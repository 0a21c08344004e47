"""A small paper that has something for every signal, and a way to find items in its tree."""

import tempfile
from pathlib import Path

from ingest.latex import parse_paper
from ingest.latex.reading import Reading
from kg.models.technique import Technique, TechniqueTree


def read(latex: str) -> Reading:
    """The words of a main file."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "main.tex").write_bytes(latex.encode("utf-8", "replace"))
        return parse_paper(Path(folder), "main.tex").reading


def find(tree: TechniqueTree, name: str) -> Technique:
    """The technique of that name or alias, any case; fails with the names there are."""
    names = []
    for item in tree.walk():
        if name.lower() in (item.name.lower(), *(alias.lower() for alias in item.aliases)):
            return item
        names.append(item.name)
    raise AssertionError(f"{name!r} is not among {names}")


PAPER = r"""
\begin{abstract}
We propose Tidal Sorting (TS), an algorithm that sorts streams in bounded memory. Experiments show that Tidal Sorting
is 3.2 times faster than merge sorting on long streams.
\end{abstract}
\section{Introduction}
Sorting is old. Much has been written about it \cite{knuth}.
\section{Method}
Tidal Sorting keeps two buffers and moves elements between them like a tide.
\subsection{The ebb step}
The ebb step is a pass over the lower buffer that releases its largest elements. We first compute the buffer median by
sampling the lower buffer. Then we release every element above the buffer median.
\begin{equation} m = \mathrm{median}(b_1, \dots, b_n) \end{equation}
\subsection{The flood step}
We call this second pass the \emph{flood step}. The flood step merges released elements into the upper buffer. Tidal
Sorting alternates both until the stream ends.
\begin{algorithm}
\caption{Buffer rebalancing}
\begin{algorithmic}
\STATE select the fullest buffer by its load
\STATE move the surplus block to the emptiest buffer
\end{algorithmic}
\end{algorithm}
\paragraph{Watermark tracking.} The watermark is the smallest element that may still arrive. Watermark tracking keeps
the buffers bounded.
\begin{description}
\item[Lazy eviction] drops elements when the buffer is full.
\item[Eager eviction] drops elements at once.
\end{description}
\section{Experiments}
\subsection{Setup}
We ran everything on the RiverBench dataset. The RiverBench dataset holds long streams.
\subsection{Results}
Our results show that Tidal Sorting needs 40\% less memory than merge sorting.
\section{Conclusion}
We sorted streams.
"""
