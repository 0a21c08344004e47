"""Any encoding is read, and bytes are counted right in each."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.latex.source import SourceText, declared_codec


@pytest.mark.parametrize("codec", ["utf-8", "latin-1", "utf-8-sig", "utf-16", "utf-16-be"])
def test_offsets_in_every_encoding(codec: str) -> None:
    text = "Schrödinger é \\section{Größe} ü"
    data = ("\ufeff" * (codec == "utf-16-be") + text).encode(codec)
    source = SourceText("x.tex", data)
    assert source.text == text
    at = text.index("\\section")
    stop = text.index("}") + 1
    assert (
        data[source.byte(at) : source.byte(stop)].decode("utf-8" if codec == "utf-8-sig" else source.encoding)
        == "\\section{Größe}"
    )
    assert source.byte(len(text)) == len(data)


def test_declared_encoding_wins_over_the_guess(parse: Any) -> None:
    text = "\\documentclass{article}\\usepackage[koi8-r]{inputenc}\\begin{document}\\section{Привет}\\end{document}"
    assert parse(text.encode("koi8_r"), wrap=False).doc.sections[0].title == "Привет"


def test_single_stray_bytes_do_not_spoil_utf8() -> None:
    data = "äöüßéèêë 漢字 ".encode() * 50 + b"\xe9" + " – ende".encode()
    source = SourceText("x.tex", data)
    assert source.text.startswith("äöü")
    assert source.text.endswith("é – ende")
    assert source.byte(len(source.text)) == len(data)
    assert source.byte(source.text.index("–")) == data.index("–".encode())


def test_unknown_and_missing_declarations() -> None:
    assert declared_codec(b"\\usepackage[nonsense]{inputenc}") is None
    assert declared_codec(b"\\usepackage{inputenc}") is None
    assert declared_codec(b"\\usepackage[latin1]{inputenc}") == "iso8859-1"


@given(st.binary(max_size=300))
def test_every_byte_string_is_a_text(data: bytes) -> None:
    source = SourceText("x.tex", data)
    places = [source.byte(at) for at in range(len(source.text) + 1)]
    assert places == sorted(set(places))
    assert places[-1] == len(data)
    assert all(source.char(place) == at for at, place in enumerate(places))
