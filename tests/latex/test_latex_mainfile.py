"""Which file is the paper."""

# ruff: noqa: E501 -- samples of LaTeX stay on the line that authors write them on

from pathlib import Path

import pytest

from ingest.latex import parse_paper
from kg.errors import InputError

PAPER = "\\documentclass{article}\\title{%s}\\begin{document}\\begin{abstract}x\\end{abstract}\\section{A} Text \\cite{b}\\end{document}"


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


@pytest.mark.parametrize(
    "files",
    [
        {"paper_tex": PAPER % "x", "supplement_tex": PAPER % "x", "intro_tex": "\\section{Intro}" * 500},
        {"a_tex": PAPER % "x", "paper_tex": PAPER % "x", "sub__paper_tex": PAPER % "x"},
        {"a_tex": PAPER % "x", "paper_tex": PAPER % "x", "paper_bbl": ""},
        {"paper_tex": "\\documentclass{article}\\begin{document}\\input{sub/a}\\end{document}",
         "sub__a_tex": "\\documentclass[../paper]{subfiles}\\begin{document}\\section{A}\\cite{x}\\end{document}"},
        {"paper_tex": PAPER % "x", "slides_tex": (PAPER % "x").replace("article", "beamer")},
        {"paper_tex": PAPER % "x", "._paper_tex": PAPER % "x", "readme_txt": "no"},
        {"z_tex": PAPER % "x", "paper_tex": "\\documentclass{article}\\begin{document}x\\end{document}", "00README_XXX": "paper.tex toplevelfile\n"},
        {"z_tex": PAPER % "x", "paper_tex": "x", "00README_json": '{"sources": [{"filename": "paper.tex", "usage": "toplevel"}]}'},
        {"z_tex": PAPER % "x", "paper_tex": "x", "00README_yaml": "sources:\n  - filename: z.tex\n    usage: ignore\n  - filename: paper.tex\n    usage: toplevel\n"},
        {"z_tex": PAPER % "x", "00README_json": "[[[", "paper_tex": PAPER % "longer title of this paper, and more"},
    ],
)  # fmt: skip
def test_choice(tmp_path: Path, files: dict[str, str]) -> None:
    write(tmp_path, **files)
    assert parse_paper(tmp_path).doc.main == "paper.tex"


def test_choice_can_be_overridden(tmp_path: Path) -> None:
    write(tmp_path, main_tex=PAPER % "x", other_tex=PAPER % "y")
    assert parse_paper(tmp_path, "other.tex").doc.title == "y"


@pytest.mark.parametrize("main", ["gone.tex", "../outside.tex", "/etc/passwd"])
def test_a_wrong_main_file_is_a_users_mistake(tmp_path: Path, main: str) -> None:
    write(tmp_path, main_tex=PAPER % "x")
    (tmp_path.parent / "outside.tex").write_text(PAPER % "x")
    with pytest.raises(InputError, match="no main file"):
        parse_paper(tmp_path, main)


def test_folders_without_tex_and_missing_ones(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no \.tex file"):
        parse_paper(tmp_path)
    with pytest.raises(InputError, match="does not exist"):
        parse_paper(tmp_path / "gone")


def test_the_hash_is_of_what_was_read(tmp_path: Path) -> None:
    write(tmp_path, main_tex=PAPER % "x", unused_tex="a")
    first = parse_paper(tmp_path, "main.tex").doc
    write(tmp_path, unused_tex="b")
    assert parse_paper(tmp_path, "main.tex").doc == first
    write(tmp_path, main_tex=PAPER % "y")
    assert parse_paper(tmp_path, "main.tex").doc.source_sha256 != first.source_sha256
