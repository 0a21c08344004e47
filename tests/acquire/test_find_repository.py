"""Which link of a paper is its own repository: by its words, place, name and owner; and when there is none."""

import tempfile
from pathlib import Path
from time import process_time

import pytest

from ingest.acquire import RepositoryHint, find_repository
from ingest.latex import parse_paper, texts
from kg.models.record import PaperMeta

META = PaperMeta(id="local:woolnet", title="WoolNet: Learning to Shear", authors=("First Authör", "Second Author"))
OWN = "https://github.com/flock/woolnet"
OTHERS = r"""\documentclass{article}\begin{document}
% the code is at https://github.com/ghost/comment
We use the \emph{Barn} library\footnote{\url{https://github.com/barn/barn}} \cite{barn} for training.
As a baseline we ran the original code of Goat~\cite{goat} (\url{https://github.com/goat/goat}).
The Flock dataset can be downloaded from \url{https://github.com/flock/flock-data}.
If you find a bug, see \url{https://github.com/barn/barn/issues/17}."""


def find(*pieces: str, meta: PaperMeta = META) -> RepositoryHint | None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "main.tex").write_text("\n\n".join(pieces), encoding="utf-8")
        return find_repository(texts(parse_paper(Path(folder), "main.tex")), meta)


@pytest.mark.parametrize(
    "sentence",
    [
        rf"Our code is available at \url{{{OWN}}}.",
        rf"Code is publicly available.\footnote{{\url{{{OWN}}}}}",
        rf"We release our implementation\footnote{{{OWN}}} to the public.",
        rf"\title{{WoolNet}} \date{{Code: \url{{{OWN}}}}}",
        rf"All experiments can be reproduced with the source code at \href{{{OWN}}}{{this repository}}.",
        rf"\newcommand{{\ourcode}}{{\url{{{OWN}}}}} The implementation can be found at \ourcode.",
        f"The code and data are available on GitHub ({OWN}.git).",
        f"Our implementation of WoolNet is open source: {OWN}/tree/main/src",
        "Source code: github.com/flock/woolnet",
        rf"Our code\footnote{{\url{{{OWN}}}}} has tests and examples.",
        rf"Sheep trust our proposed simulator, Shear\footnote{{\url{{{OWN}}}}}, in all tests.",
        f"An open-source implementation of our method can be obtained from {OWN}",
        f"Scripts that reproduce each figure: {OWN}",
    ],
)
def test_its_own_words_for_it(sentence: str) -> None:
    hint = find(OTHERS, "As others before, we count sheep. " + sentence + " More text follows here.")
    assert hint is not None
    assert (hint.ref.lower(), hint.url.lower(), hint.host) == ("flock/woolnet", OWN, "github.com")
    assert 0.5 <= hint.score <= 1
    assert "woolnet" in hint.evidence.lower()
    assert hint.where == "text"


@pytest.mark.parametrize(
    "sentence",
    [
        "All sheep were trained with Torch, available at https://github.com/torch/torch.",
        r"Our code builds upon the open source repository of \cite{ram} (https://github.com/ram/base).",
        "For Goat we use the authors' code, which is available at https://github.com/goat/goat.",
        "The Meadow dataset is publicly available at https://github.com/meadow/meadow.",
        "Models of the barn were taken from https://github.com/barn/models.",
        "The code of the baselines is available at https://github.com/base/line.",
        r"We used the implementation of \cite{cow}, available at https://github.com/cow/cow.",
        r"\item |shepherd|\footnote{\url{https://github.com/dog/shepherd}} for dogs",
    ],
)
def test_links_of_others_are_not_its_own(sentence: str) -> None:
    assert find(OTHERS, sentence) is None


def test_no_link_is_no_repository() -> None:
    assert find("No link at all.") is None
    assert find() is None


@pytest.mark.parametrize("field", ["comment", "abstract"])
def test_abstract_and_comment_count(field: str) -> None:
    hint = find(OTHERS, meta=META.model_copy(update={field: "10 pages. Code at https://github.com/lab/x1"}))
    assert hint is not None
    assert (hint.ref, hint.where) == ("lab/x1", field)


def test_the_name_in_the_title_decides_between_two() -> None:
    text = "Code is available at https://github.com/lab/tools. Code is available at https://github.com/flock/woolnet."
    hint = find(text)
    assert hint is not None
    assert hint.ref == "flock/woolnet"


def test_an_author_that_owns_it_counts() -> None:
    meta = META.model_copy(update={"title": "On Shearing"})
    text = "Code is available at https://github.com/someone/x9. Code is available at https://github.com/firstauthor/x8."
    hint = find(text, meta=meta)
    assert hint is not None
    assert hint.ref == "firstauthor/x8"


def test_the_repository_of_the_text_is_not_that_of_the_code() -> None:
    text = (
        "The figures can be reproduced from https://github.com/flock/woolnet-paper. "
        "The package is hosted at https://github.com/flock/woolnet."
    )
    hint = find(text)
    assert hint is not None
    assert hint.ref == "flock/woolnet"


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://gitlab.com/flock/woolnet", "gitlab.com"), ("https://bitbucket.org/flock/woolnet", "bitbucket.org"),
        ("https://gitlab.uni-flock.de/flock/woolnet", "gitlab.uni-flock.de"),
        ("https://anonymous.4open.science/r/woolnet-7F3A", "anonymous.4open.science"),
    ],
)  # fmt: skip
def test_other_hosts_are_told_by_their_address(url: str, host: str) -> None:
    hint = find(f"Our code is available at {url}.")
    assert hint is not None
    assert (hint.host, hint.ref, hint.url) == (host, url, url)


def test_a_gist_is_no_repository() -> None:
    assert find("Our code is available at https://gist.github.com/flock/0123456789abcdef.") is None


def test_a_reference_list_is_no_evidence() -> None:
    assert (
        find(
            r"\begin{thebibliography}{1}\bibitem{a} A. Author. Code available at \url{https://github.com/a/b}.\end{thebibliography}"
        )
        is None
    )


def test_an_underscore_of_latex_is_an_underscore() -> None:
    hint = find(r"Our code is available at \url{https://github.com/flock/wool\_net}.")
    assert hint is not None
    assert hint.ref == "flock/wool_net"


def test_hostile_text_is_only_text() -> None:
    for text in (
        "{" * 20_000 + "https://github.com/a/b",
        r"\newcommand{\x}{" * 2_000,
        "github.com/" * 5_000,
        "a. " * 30_000,
    ):
        find(text)


def test_a_word_of_any_length_is_read_in_its_length() -> None:
    started = process_time()
    find_repository(["word" * 100_000, "Our code: https://github.com/somebody/tides."], META)
    assert process_time() - started < 5
