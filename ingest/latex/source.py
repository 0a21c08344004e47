"""One text file of a paper: its characters, and for each of them the byte where it stands in the original.

TeX sources come in any encoding, sometimes in two at once. Text is decoded as UTF-8 (UTF-16 when a byte order mark
says so); else by the declared ``inputenc`` option; else as UTF-8 with single stray bytes, when those are few; else as
Latin-1, which never fails. Line ends, NULs and everything else stay as they are, so that bytes can be counted.
"""

import codecs
import hashlib
import re
from bisect import bisect_right
from itertools import accumulate

__all__ = ["SourceText", "declared_codec", "decode"]

_INPUTENC = re.compile(
    rb"\\(?:usepackage|RequirePackage)\s*\[\s*([A-Za-z0-9-]+)[^\]]*\]\s*\{\s*inputenc\s*\}|\\inputencoding\{([A-Za-z0-9-]+)\}"
)
_CODECS = {
    "ansinew": "cp1252", "applemac": "mac_roman", "macce": "mac_latin2", "koi8-r": "koi8_r", "koi8-u": "koi8_u",
    "latin9": "iso8859-15", "latin10": "iso8859-16", "utf8x": "utf-8",
}  # fmt: skip
_STRAY_SHARE = 0.01
_NON_ASCII = re.compile(r"[^\x00-\x7f]")


def declared_codec(data: bytes) -> str | None:
    """The Python codec that ``\\usepackage[...]{inputenc}`` in `data` asks for; None when there is no usable one."""
    found = _INPUTENC.search(data)
    if found is None:
        return None
    name = (found[1] or found[2]).decode("ascii").lower()
    try:
        return codecs.lookup(_CODECS.get(name, name)).name
    except LookupError:
        return None


def _decode_with_strays(data: bytes) -> tuple[str, frozenset[int]] | None:
    """UTF-8 in which few bytes are not: those become the Latin-1 characters of the same code. Positions in bytes."""
    strays: list[int] = []

    def keep(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)  # noqa: S101 -- the handler is used for decoding only
        strays.append(error.start)
        return chr(error.object[error.start]), error.start + 1

    codecs.register_error("xkg-stray-byte", keep)
    text = data.decode("utf-8", "xkg-stray-byte")
    multibyte = len(data) - len(text)
    if len(strays) > max(1, len(data) * _STRAY_SHARE) or multibyte <= len(strays):
        return None
    return text, frozenset(strays)


def decode(data: bytes, declared: str | None = None) -> tuple[str, str, int, frozenset[int]]:
    """Characters, codec, length of the byte order mark, and byte positions of stray single bytes.

    Never raises: Latin-1 takes what nothing else does. A codec whose characters can't be encoded back to the same
    number of bytes is not used, as byte offsets would be wrong.
    """
    for mark, codec in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if data.startswith(mark):
            try:
                return data[len(mark) :].decode(codec), codec, len(mark), frozenset()
            except UnicodeDecodeError:
                break
    for candidate in ("utf-8", declared):
        try:
            text = data.decode(candidate) if candidate else ""
            if candidate and text.encode(candidate) == data:
                return text, candidate, 0, frozenset()
        except (UnicodeError, LookupError):
            continue
    if mixed := _decode_with_strays(data):
        return mixed[0], "utf-8", 0, mixed[1]
    return data.decode("latin-1"), "latin-1", 0, frozenset()


class SourceText:
    """A decoded file: `path` relative to the source folder, `text`, `encoding`, `sha256` of its bytes."""

    def __init__(self, path: str, data: bytes, declared: str | None = None) -> None:
        self.path = path
        self.data = data
        self.sha256 = hashlib.sha256(data).hexdigest()
        self.text, self.encoding, self._mark, strays = decode(data, declared)
        self._wide: list[int] = []
        self._extra: list[int] = [0]
        if len(self.text) != len(data):
            self._measure(strays)

    def _measure(self, strays: frozenset[int]) -> None:
        """Note the characters that take more than one byte, with the surplus bytes up to and including each."""
        pattern = re.compile(r".", re.DOTALL) if self.encoding.startswith("utf-16") else _NON_ASCII
        width: dict[str, int] = {}
        surplus, total = [], 0
        for found in pattern.finditer(self.text):
            character, at = found[0], found.start()
            extra = width.get(character)
            if extra is None:
                extra = width[character] = len(character.encode(self.encoding)) - 1
            if extra == 0 or (strays and at + total in strays):
                continue
            self._wide.append(at)
            surplus.append(extra)
            total += extra
        self._extra.extend(accumulate(surplus))

    def byte(self, at: int) -> int:
        """The byte offset of character `at`; ``byte(len(text))`` is the size of the file."""
        return self._mark + at + self._extra[bisect_right(self._wide, at - 1)]

    def char(self, byte: int) -> int:
        """The character that byte `byte` belongs to, between 0 and ``len(text)``."""
        low, high = 0, len(self.text)
        while low < high:
            middle = (low + high + 1) // 2
            if self.byte(middle) <= byte:
                low = middle
            else:
                high = middle - 1
        return low
