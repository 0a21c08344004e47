"""Opening an archive from a stranger: read as a stream, limited, and nothing outside its own folder.

What arXiv and people hand over is told by its first bytes, not its name: gzip (around a tar or a single .tex), tar,
zip, PDF, or plain TeX. Junk of desktops is left out, and so are links that stay inside (what they point to is there
anyway) and sparse files, with a warning. A member that only malice or a broken tool writes (an absolute path, "..", a
link that leaves the folder, a device) condemns the whole archive: what else it holds deserves no trust either.
"""

import gzip
import io
import re
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Literal, NamedTuple, cast

from ingest.acquire.limits import LIMITS, Limits, Meter
from ingest.acquire.members import Member, Writer, escapes
from kg.errors import InputError

__all__ = ["DamagedError", "Kind", "Unpacked", "sniff", "unpack"]

Kind = Literal["tex", "pdf", "postscript", "html", "gzip", "tar", "zip", "empty", "unknown"]

_HEADER_ROOM = 2_000_000
"""Bytes that the headers between two tar members may take; names and attributes of honest ones take a few hundred."""


class DamagedError(InputError):
    """An archive that can't be read to its end, most likely because it was cut on its way."""


class Unpacked(NamedTuple):
    """What an archive turned out to be, and what was left out of it. `kind` "tex" and "tar" put files on disk."""

    kind: Kind
    warnings: tuple[str, ...]


def sniff(head: bytes) -> Kind:
    """What a file is that starts with `head` (at least 512 bytes of it, or all)."""
    if not head.strip(b"\0 \t\r\n\f"):
        return "empty"
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    if _is_tar(head):
        return "tar"
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if text.startswith((b"<!doctype html", b"<html", b"<?xml", b"<head")):
        return "html"
    tex = _TEX.search(head) or (b"\0" not in head and (b"\\" in head or b"%" in head))
    return "tex" if tex else "unknown"


_TEX = re.compile(rb"\\(documentclass|documentstyle|begin|input|title|section)\b")


_MAGIC: tuple[tuple[bytes, Kind], ...] = (
    (b"\x1f\x8b", "gzip"), (b"%PDF-", "pdf"), (b"%!PS", "postscript"), (b"PK\x03\x04", "zip"), (b"PK\x05\x06", "zip"),
)  # fmt: skip


def _is_tar(head: bytes) -> bool:
    if head[257:262] == b"ustar":
        return True
    try:
        return len(head) >= 512 and bool(tarfile.TarInfo.frombuf(head[:512], "utf-8", "surrogateescape").name)
    except (tarfile.HeaderError, ValueError):
        return False


def unpack(archive: Path, folder: Path, name: str, limits: Limits = LIMITS) -> Unpacked:
    """Write the files of `archive` below `folder`, which exists and is empty; `name` stands for it in messages.

    A single .tex becomes ``main.tex``. Nothing is written for a PDF, PostScript, HTML or an unknown kind: the caller
    says what that means. Raises InputError for an archive that is damaged, hostile or beyond `limits`; what was
    written by then is the caller's to remove.
    """
    size = archive.stat().st_size
    if size > limits.compressed:
        raise InputError(
            f"{name} is {size / 1e6:.0f} MB, more than the {limits.compressed / 1e6:.0f} MB an archive may have",
            remedy="unpack it yourself and give the folder",
        )
    writer = Writer(folder, name, limits)
    with _damage(name), archive.open("rb") as file:
        meter = Meter(file, name, limits)
        return Unpacked(_unpack(file, meter, writer), writer.warnings())


def _unpack(file: IO[bytes], meter: Meter, writer: Writer, wraps: int = 0) -> Kind:
    """gzip is around tar or TeX; some servers wrap twice (once as a content encoding). `wraps` were opened so far."""
    kind = sniff(file.read(1024))
    file.seek(0)
    meter.source = file
    if kind == "tar":
        _tar(meter, writer)
    elif kind == "tex":
        writer.write(Member("main.tex", -1), meter)
    elif kind == "zip" and not wraps:
        _zip(file, meter, writer)
    elif kind == "gzip" and wraps < 2:
        if wraps:
            file = io.BytesIO()
            shutil.copyfileobj(meter, file)
            file.seek(0)
        with gzip.GzipFile(fileobj=file) as content:
            return _unpack(cast("IO[bytes]", content), meter, writer, wraps + 1)
    return "unknown" if kind == "gzip" else kind


def _tar(meter: Meter, writer: Writer) -> None:
    meter.allow(_HEADER_ROOM)
    with tarfile.open(fileobj=meter, mode="r|", errors="surrogateescape") as archive:
        for info in archive:
            if info.size < 0:
                raise tarfile.ReadError("a member has a negative size")
            member = Member(_readable(info.name), info.size)
            if writer.takes(member, _tar_kind(info)):
                meter.allow(None)
                with _opened(archive, info) as content:
                    writer.write(member, content)
                meter.allow(_HEADER_ROOM)
            else:
                meter.allow(_HEADER_ROOM + info.size)
    meter.allow(None)
    while meter.read(1 << 16):
        pass


def _opened(archive: tarfile.TarFile, info: tarfile.TarInfo) -> IO[bytes]:
    content = archive.extractfile(info)
    if content is None:
        raise tarfile.ReadError(f"{info.name} has no content")
    return content


def _readable(name: str) -> str:
    """A member name that is not UTF-8 read as Latin-1, which never fails; so it can be printed and kept in JSON."""
    raw = name.encode("utf-8", "surrogateescape")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _tar_kind(info: tarfile.TarInfo) -> str:
    if info.issym() or info.islnk():
        base = "" if info.islnk() else info.name.rpartition("/")[0]
        outside = escapes(_readable(f"{base}/{info.linkname}" if base else info.linkname), link=True)
        return "link outside" if outside or info.linkname.startswith("/") else "link"
    if info.isdir():
        return "folder"
    if info.issparse():
        return "sparse"
    return "file" if info.isreg() else "device"


def _zip(file: IO[bytes], meter: Meter, writer: Writer) -> None:
    if _count(file, b"PK\x01\x02") > 2 * writer.limits.members:
        writer.too_many()
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            member = Member(info.filename, info.file_size)
            if info.flag_bits & 1:
                raise InputError(f"{writer.name} is encrypted", remedy="decrypt it and give the folder")
            if writer.takes(member, _zip_kind(info)):
                with archive.open(info) as content:
                    meter.source = content
                    writer.write(member, meter)


def _zip_kind(info: zipfile.ZipInfo) -> str:
    kind = (info.external_attr >> 16) & 0o170000
    if info.is_dir():
        return "folder"
    return {0: "file", 0o100000: "file", 0o120000: "link outside"}.get(kind, "device")


def _count(file: IO[bytes], needle: bytes) -> int:
    found = sum(block.count(needle) for block in iter(lambda: file.read(1 << 20), b""))
    file.seek(0)
    return found


@contextmanager
def _damage(name: str) -> Iterator[None]:
    """Every way in which the readers of the standard library say "this is broken", as one sentence."""
    try:
        yield
    except (
        tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, gzip.BadGzipFile, NotImplementedError,
        ValueError, OverflowError, RecursionError, UnicodeError,
    ) as error:  # fmt: skip
        message = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        raise DamagedError(f"{name} is damaged or cut short: {message}", remedy="fetch it again") from error
