"""Inputs are followed inside the folder only, and every character knows its byte."""

# ruff: noqa: E501 -- samples of LaTeX stay on the line that authors write them on

from pathlib import Path
from typing import Any

import pytest


def messages(parsed: Any) -> str:
    return "\n".join(warning.message for warning in parsed.doc.warnings)


@pytest.mark.parametrize(
    ("command", "path"),
    [
        (r"\input{part}", "part.tex"), (r"\input part ", "part.tex"), (r"\include{sub/part}", "sub/part.tex"),
        (r"\subfile{sub/part}", "sub/part.tex"), (r"\import{sub/}{part}", "sub/part.tex"),
        (r"\subimport{./sub}{part.tex}", "sub/part.tex"), (r'\input{"part"}', "part.tex"), (r"\input{./part.tex}", "part.tex"),
    ],
)  # fmt: skip
def test_inputs_are_followed(parse: Any, raw: Any, command: str, path: str) -> None:
    parsed = parse(f"before {command}\nafter", {path: "\\section{Inside}\nsome words"})
    (section,) = parsed.doc.sections
    assert (section.file, section.title, section.start) == (path, "Inside", 0)
    assert raw(section) == b"\\section{Inside}\nsome words"
    assert not parsed.doc.warnings


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (r"\input{/etc/hostname}", "outside"), (r"\input{../secret}", "outside"), (r"\input{|id}", "run a program"),
        (r"\input{\folder/x}", "computed by a macro"), (r"\input{nothing}", "not in the source folder"),
        (r"\input{main}", "cycle"), (r"\import{../}{secret}", "outside"),
    ],
)  # fmt: skip
def test_refused_inputs_are_named(parse: Any, tmp_path: Path, command: str, reason: str) -> None:
    (tmp_path.parent / "secret.tex").write_text("\\section{Secret}")
    parsed = parse(f"kept {command} kept too")
    assert reason in messages(parsed)
    assert not parsed.doc.sections
    (warning,) = parsed.doc.warnings
    assert (tmp_path / warning.file).read_bytes()[warning.start : warning.end].decode().strip() == command


def test_folders_named_by_macros(parse: Any) -> None:
    parsed = parse(r"\newcommand{\parts}{sub/}\def\name{a}\input{\parts\name}", {"sub/a.tex": "\\section{Inside}"})
    assert [section.file for section in parsed.doc.sections] == ["sub/a.tex"]


def test_links_that_lead_outside_are_not_followed(parse: Any, tmp_path: Path) -> None:
    secret = tmp_path.parent / "secret.tex"
    secret.write_text("\\section{Secret}")
    (tmp_path / "link.tex").symlink_to(secret)
    assert not parse(r"\input{link}").doc.sections


def test_a_cycle_over_two_files_ends(parse: Any) -> None:
    parsed = parse(r"\input{a}", {"a.tex": r"\section{A}\input{b}", "b.tex": r"\section{B}\input{a}"})
    assert [section.title for section in parsed.doc.sections] == ["A", "B"]
    assert "cycle" in messages(parsed)


def test_doubling_inclusions_end(parse: Any) -> None:
    files = {f"f{n}.tex": f"\\input{{f{n + 1}}}\\input{{f{n + 1}}}" for n in range(40)}
    parsed = parse(r"\input{f0}", files)
    assert "limits" in messages(parsed)


def test_inputs_in_comments_and_listings_are_no_inputs(parse: Any) -> None:
    parsed = parse(
        "% \\input{x}\n\\begin{verbatim}\n\\input{x}\n\\end{verbatim}\n\\verb|\\input{x}|\n\\iffalse\\input{x}\\fi"
    )
    assert not parsed.doc.warnings


def test_every_character_has_its_byte(parse: Any, tmp_path: Path) -> None:
    parsed = parse("äöü \\input{part} ß\r\n€uro % cömment\nz", {"part.tex": "naïve 漢字 text"})
    flat = parsed.flat
    for at, character in enumerate(flat.text):
        file, byte = flat.origin(at)
        if character.strip():
            assert (tmp_path / file).read_bytes()[byte:].decode().startswith(character)
            assert flat.locate(file, byte) == at
    assert "cömment" not in flat.text
    assert len(flat.text) == len(flat.scan)


def test_a_span_over_an_input_stays_in_its_file(parse: Any) -> None:
    parsed = parse("\\section{One} a \\input{part} b", {"part.tex": "in the middle"})
    (section,) = parsed.doc.sections
    assert parsed.flat.raw(parsed.flat.locate("main.tex", section.start), len(parsed.flat.text)).startswith(
        "\\section{One}"
    )
    assert (section.file, section.end) == ("main.tex", parsed.flat.files[0].text.index("\n\\end{document}"))
