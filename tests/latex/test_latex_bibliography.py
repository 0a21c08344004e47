"""Bibliography entries from .bib, .bbl (BibTeX, natbib, REVTeX, biblatex) and lists in the text."""

# ruff: noqa: E501 -- samples of LaTeX stay on the line that authors write them on

from collections.abc import Callable
from typing import Any

BIB = r"""
@string{nips = "Advances in NIPS"}
@inproceedings{vaswani2017,
  title = {Attention Is {All} You Need}, author = {Vaswani, Ashish and Shazeer, Noam and {The Team} and others},
  year = 2017, booktitle = nips, eprint = {1706.03762}, archivePrefix = {arXiv}
}
@article{Old, title="{\'E}tude", author={Andr{\'e} Weil}, journal={arXiv preprint hep-th/9901001v2}, year={1999}, doi={https://doi.org/10.1000/x_y.1}}
@article{twice, title={A}, title={B}, year={2001}}
@article{broken, title={never closed
@article{after, title={Fine}, year={2002}}
@misc{uncited, title={No}}
"""


def entries(parsed: Any) -> dict[str, Any]:
    return {entry.key: entry for entry in parsed.doc.bibliography}


def test_bib_file(parse: Any, raw: Callable[[Any], bytes]) -> None:
    parsed = parse(r"\cite{vaswani2017,old,twice,broken,after}\bibliography{refs}", {"refs.bib": BIB})
    found = entries(parsed)
    assert set(found) == {"vaswani2017", "old", "twice", "broken", "after"}
    first = found["vaswani2017"]
    assert (first.title, first.year, first.arxiv) == ("Attention Is All You Need", 2017, "1706.03762")
    assert first.authors == ("Ashish Vaswani", "Noam Shazeer", "The Team")
    assert raw(first).startswith(b"@inproceedings{vaswani2017,")
    assert raw(first).endswith(b"}")
    old = found["old"]
    assert (old.title, old.authors, old.arxiv, old.doi) == ("Étude", ("André Weil",), "hep-th/9901001", "10.1000/x_y.1")
    assert found["twice"].year == 2001
    assert found["after"].title == "Fine"
    (warning,) = parsed.doc.warnings
    assert "'broken' can't be parsed" in warning.message
    assert raw(warning).startswith(b"@article{broken")


def test_everything_when_everything_is_cited(parse: Any) -> None:
    assert "uncited" in entries(parse(r"\nocite{*}\bibliography{refs}", {"refs.bib": BIB}))


BBL = r"""\begin{thebibliography}{2}
\bibitem[{Kingma and Ba(2015)}]{adam}
Diederik~P. Kingma and Jimmy Ba.
\newblock Adam: A method for stochastic optimization.
\newblock In \emph{ICLR}, 2015. \newblock URL \url{https://arxiv.org/abs/1412.6980}.

\bibitem{plain} A.~Author, B. Writer, and C. D\"urer. \newblock The \emph{thing}. \newblock {\em J. of Things}, 1998.
\bibitem [{\citenamefont {Planck}(1901)}]{planck}%
  \BibitemOpen \bibfield {author} {\bibinfo {author} {\bibfnamefont {M.}~\bibnamefont {Planck}},\ }
  \bibfield {title} {\bibinfo {title} {On the law},\ }\href {https://doi.org/10.1002/andp.19013090310} {\bibinfo {year} {1901}}
\end{thebibliography}"""


def test_bbl_of_bibtex_natbib_and_revtex(parse: Any, raw: Callable[[Any], bytes]) -> None:
    found = entries(parse(r"\cite{adam,plain,planck}\bibliography{gone}", {"main.bbl": BBL}))
    adam, plain, planck = found["adam"], found["plain"], found["planck"]
    assert (adam.title, adam.year, adam.arxiv) == ("Adam: A method for stochastic optimization", 2015, "1412.6980")
    assert adam.authors == ("Diederik P. Kingma", "Jimmy Ba")
    assert (plain.title, plain.year, plain.authors) == ("The thing", 1998, ("A. Author", "B. Writer", "C. Dürer"))
    assert (planck.title, planck.year, planck.doi) == ("On the law", 1901, "10.1002/andp.19013090310")
    assert planck.authors == ("M. Planck",)
    assert raw(adam).startswith(b"\\bibitem[{Kingma")


def test_inline_list(parse: Any) -> None:
    text = r"\cite{k} \begin{thebibliography}{9} \bibitem{k} Donald Knuth, ``The art, complete,'' 1968. \end{thebibliography}"
    (entry,) = parse(text).doc.bibliography
    assert (entry.key, entry.title, entry.year, entry.file) == ("k", "The art, complete", 1968, "main.tex")


def test_biblatex_bbl(parse: Any) -> None:
    bbl = r"""\begin{refsection}\datalist{nty}
\entry{hebb49}{book}{}
  \name{author}{2}{}{%
    {{hash=1}{%
       family={Hebb}, familyi={H\bibinitperiod}, given={Donald\bibnamedelima O.}, giveni={D\bibinitperiod},
    }}%
    {{hash=2}{%
       family={Oja}, given={Erkki}}}%
  }
  \field{title}{The Organization of {B}ehavior}
  \field{year}{1949}
  \verb{doi}
  \verb 10.1000/abc
  \endverb
  \verb{eprint}
  \verb 1609.02228
  \endverb
\endentry
\enddatalist\end{refsection}"""
    (entry,) = parse(r"\cite{hebb49}\addbibresource{x.bib}", {"main.bbl": bbl}).doc.bibliography
    assert (entry.title, entry.year, entry.doi, entry.arxiv) == (
        "The Organization of Behavior",
        1949,
        "10.1000/abc",
        "1609.02228",
    )
    assert entry.authors[1] == "Erkki Oja"


def test_missing_files_and_dangling_keys_are_named(parse: Any) -> None:
    messages = [
        w.message
        for w in parse(r"\cite{a,b}\bibliography{refs,gone}", {"refs.bib": "@misc{a, title={A}}"}).doc.warnings
    ]
    assert messages == [
        "\\bibliography names 'gone', which is not in the source folder",
        "no bibliography entry for 'b'",
    ]


def test_a_bibliography_outside_is_not_read(parse: Any, tmp_path: Any) -> None:
    (tmp_path.parent / "secret.bib").write_text("@misc{a, title={Secret}}")
    assert not parse(r"\cite{a}\bibliography{../secret}").doc.bibliography


def test_entries_typed_by_hand(parse: Any) -> None:
    items = (
        r"\bibitem{a} G. Eason, B. Noble, and I. Sneddon, ``On certain integrals,'' Phil. Trans., vol. 247, 1955."
        r"\bibitem{b} Vaswani, A., Shazeer, N., Parmar, N.: Attention is all you need. arXiv:1706.03762 (2017)"
        r"\bibitem{c} D. Ongaro, J. Ousterhout, In search of an understandable consensus, \emph{USENIX}, 2014."
    )
    found = entries(parse(f"\\begin{{thebibliography}}{{9}}{items}\\end{{thebibliography}}"))
    assert [e.title for e in found.values()] == [
        "On certain integrals",
        "Attention is all you need",
        "In search of an understandable consensus",
    ]
    assert [e.authors for e in found.values()] == [
        ("G. Eason", "B. Noble", "I. Sneddon"), ("A. Vaswani", "N. Shazeer", "N. Parmar"), ("D. Ongaro", "J. Ousterhout"),
    ]  # fmt: skip
    assert [e.year for e in found.values()] == [1955, 2017, 2014]
