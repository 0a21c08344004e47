"""What holds for every document: spans give back the bytes, nothing raises, parsing is a function."""

# ruff: noqa: E501 -- samples of LaTeX stay on the line that authors write them on

import re
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.latex import parse_paper

WORDS = st.text("abc äß漢é,.\n ", max_size=12)
KEYS = st.sampled_from(["a", "b:c", "d-1"])
BLOCKS = st.one_of(
    st.builds("\\{}{}{{{}}}\n".format, st.sampled_from(["section", "subsection", "paragraph"]), st.sampled_from(["", "*"]), st.sampled_from(["Tïtle", "X $a$"])),
    st.builds("\\begin{{{0}}}{1} x \\label{{{2}}}\\end{{{0}}}".format, st.sampled_from(["equation", "align*", "gather"]), WORDS.map(str.strip), KEYS),
    st.builds("\\[{}\\]".format, st.sampled_from(["a", " é ", "x\ny"])),
    st.builds("$${}$$".format, st.sampled_from(["a", " ä "])),
    st.builds("text \\{}{{{},z}} text".format, st.sampled_from(["cite", "citep", "citet*", "nocite"]), KEYS),
    st.builds("% {}\n".format, st.sampled_from(["\\section{No}", "é", "\\cite{no}"])),
    st.builds("\\begin{{figure}}\\caption{{{}}}\\end{{figure}}\n".format, st.sampled_from(["é", "c"])),
    st.just("\n\n"), st.just("\\be x \\ee "), st.just("\\input{part}"), WORDS,
)  # fmt: skip
DOCUMENTS = st.lists(BLOCKS, max_size=12).map("".join)
PREAMBLE = "\\documentclass{article}\\newcommand{\\be}{\\begin{equation}}\\newcommand{\\ee}{\\end{equation}}\\begin{document}\n"
SLOW = settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
STARTS = {
    "sections": rb"\\(?:sub)*section|\\paragraph", "equations": rb"\\begin\{(?:equation|align|gather)|\$\$|\\\[|\\be",
    "citations": rb"\\(?:no)?cite", "labels": rb"\\label\{", "figures": rb"\\begin\{figure\}",
}  # fmt: skip
ENDS = {
    "equations": rb"(?:\\end\{[a-z]+\*?\}|\$\$|\\\]|\\ee)\Z",
    "figures": rb"\\end\{figure\}\Z",
    "citations": rb"\}\Z",
}


def write(folder: Path, body: str, part: str, codec: str) -> None:
    (folder / "main.tex").write_bytes((PREAMBLE + body + "\n\\end{document}").encode(codec, "replace"))
    (folder / "part.tex").write_bytes(part.encode(codec, "replace"))


@SLOW
@given(DOCUMENTS, DOCUMENTS, st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "latin-1"]), st.booleans())
def test_every_piece_is_its_bytes(body: str, part: str, codec: str, dos: bool) -> None:
    body, part = (text.replace("\n", "\r\n") if dos else text for text in (body, part.replace("\\input{part}", "")))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write(folder, body, part, codec)
        parsed = parse_paper(folder, "main.tex")
        encodings = {file.path: file.encoding for file in parsed.doc.files}
        for kind in ("sections", "paragraphs", "equations", "figures", "citations", "labels", "references"):
            for piece in getattr(parsed.doc, kind):
                raw = (folder / piece.file).read_bytes()[piece.start : piece.end]
                text = raw.decode(encodings[piece.file])
                assert text
                assert text == text.strip()
                plain = text.encode("utf-8")
                assert re.match(STARTS.get(kind, b""), plain), (kind, text)
                assert re.search(ENDS.get(kind, b""), plain), (kind, text)


@SLOW
@given(DOCUMENTS)
def test_everything_written_is_found(body: str) -> None:
    read = re.sub(r"%[^\n]*", "", body)
    with tempfile.TemporaryDirectory() as place:
        write(Path(place), body, "", "utf-8")
        doc = parse_paper(Path(place), "main.tex").doc
    assert len(doc.sections) == len(re.findall(r"\\(?:sub)*section|\\paragraph", read))
    assert len(doc.equations) == len(re.findall(r"\\begin\{(?:eq|al|ga)|\\\[|\$\$[^$]+\$\$|\\be ", read))
    assert {k for c in doc.citations for k in c.keys} == {
        k for m in re.findall(r"cite[tp]?\*?\{([^}]*)\}", read) for k in m.split(",")
    }
    assert len(
        {
            piece.id
            for kind in ("sections", "equations", "paragraphs", "labels", "citations")
            for piece in getattr(doc, kind)
        }
    ) == sum(len(getattr(doc, kind)) for kind in ("sections", "equations", "paragraphs", "labels", "citations"))


@SLOW
@given(DOCUMENTS, st.data())
def test_broken_documents_never_raise_and_parse_the_same_twice(body: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(body)))
    junk = data.draw(st.text("\\{}$%[]#&\n\0é", max_size=8))
    drop = data.draw(st.integers(0, 20))
    broken = body[:cut] + junk + body[cut + drop :]
    with tempfile.TemporaryDirectory() as place:
        write(Path(place), broken, broken, "utf-8")
        first = parse_paper(Path(place), "main.tex").doc
        assert parse_paper(Path(place), "main.tex").doc == first
        for warning in first.warnings:
            assert 0 <= warning.start <= warning.end <= (Path(place) / warning.file).stat().st_size
