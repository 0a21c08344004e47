"""Archives from strangers: what is written, what is left out, what condemns the whole, and nothing ever outside."""

import io
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ingest.acquire.archives import DamagedError, sniff, unpack
from ingest.acquire.limits import Limits
from kg.errors import InputError

TEX = b"\\documentclass{article}\\begin{document}x\\end{document}"


def kind(type_: bytes, target: str = "") -> Callable[[tarfile.TarInfo], None]:
    def change(info: tarfile.TarInfo) -> None:
        info.type, info.linkname = type_, target

    return change


def tar(path: Path, *members: tuple[str, bytes, Callable[[tarfile.TarInfo], None] | None], mode: str = "w:gz") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload] # the mode is one of its own
        for name, content, change in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            if change:
                change(info)
            archive.addfile(info, io.BytesIO(content))
    return path


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "outer" / "inner"
    folder.mkdir(parents=True)
    return folder


def alone(place: Path) -> bool:
    """Whether nothing was written beside `place`."""
    return [path.name for path in place.parent.iterdir()] == ["inner"]


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_regular_files_are_written_and_junk_is_not(tmp_path: Path, place: Path, mode: str) -> None:
    archive = tar(
        tmp_path / "a", ("./main.tex", TEX, None), ("sec tion/b.tex", b"\\b", None), ("._main.tex", b"\0\5", None),
        ("__MACOSX/x.tex", b"x", None), ("fig/.DS_Store", b"x", None), ("empty", b"", kind(tarfile.DIRTYPE)), mode=mode,
    )  # fmt: skip
    assert unpack(archive, place, "a") == ("tar", ())
    assert files(place) == {"main.tex": TEX, "sec tion/b.tex": b"\\b"}
    assert (place / "main.tex").stat().st_mode & 0o111 == 0


HOSTILE = [
    ("../evil.tex", TEX, None, "outside its folder"),
    ("a/../../evil.tex", TEX, None, "outside its folder"),
    ("..\\evil.tex", TEX, None, "outside its folder"),
    ("/evil.tex", TEX, None, "outside its folder"),
    ("C:\\evil.tex", TEX, None, "outside its folder"),
    ("link", b"", kind(tarfile.SYMTYPE, "/etc/passwd"), "leaves the folder"),
    ("a/link", b"", kind(tarfile.SYMTYPE, "../../up"), "leaves the folder"),
    ("link", b"", kind(tarfile.LNKTYPE, "../../etc/passwd"), "leaves the folder"),
    ("link", b"", kind(tarfile.LNKTYPE, "/etc/passwd"), "leaves the folder"),
    ("null", b"", kind(tarfile.CHRTYPE), "special file"),
    ("disk", b"", kind(tarfile.BLKTYPE), "special file"),
    ("pipe", b"", kind(tarfile.FIFOTYPE), "special file"),
    ("a/" * 30 + "x.tex", TEX, None, "folders deep"),
    ("x" * 250 + ".tex", TEX, None, "too long"),
]


@pytest.mark.parametrize(("name", "content", "change", "words"), HOSTILE, ids=lambda value: repr(value)[:30])
def test_a_hostile_member_condemns_the_archive(
    tmp_path: Path, place: Path, name: str, content: bytes, change: Callable[[tarfile.TarInfo], None], words: str
) -> None:
    archive = tar(tmp_path / "a", ("main.tex", TEX, None), (name, content, change))
    with pytest.raises(InputError, match=words) as caught:
        unpack(archive, place, "paper.tar.gz")
    assert "paper.tar.gz was refused" in str(caught.value)
    assert alone(place)


def test_links_within_are_left_out_by_name(tmp_path: Path, place: Path) -> None:
    archive = tar(
        tmp_path / "a", ("main.tex", TEX, None), ("s/a.tex", b"", kind(tarfile.SYMTYPE, "../main.tex")),
        ("b.tex", b"", kind(tarfile.LNKTYPE, "main.tex")),
    )  # fmt: skip
    _, warnings = unpack(archive, place, "a")
    assert warnings == ("a: links are never followed: 's/a.tex', 'b.tex'",)
    assert list(files(place)) == ["main.tex"]


def test_a_link_is_no_way_out_for_a_later_member(tmp_path: Path, place: Path) -> None:
    archive = tar(tmp_path / "a", ("d", b"", kind(tarfile.SYMTYPE, "sub")), ("d/x.tex", TEX, None))
    unpack(archive, place, "a")
    assert files(place) == {"d/x.tex": TEX}
    assert not (place / "d").is_symlink()


def test_a_file_that_is_a_folder_too_is_left_out(tmp_path: Path, place: Path) -> None:
    archive = tar(tmp_path / "a", ("a", TEX, None), ("a/b", TEX, None), ("c/d", TEX, None), ("c", TEX, None))
    _, warnings = unpack(archive, place, "a")
    assert files(place) == {"a": TEX, "c/d": TEX}
    assert "'a/b', 'c'" in warnings[0]


def test_names_that_are_not_utf8_can_be_told(tmp_path: Path, place: Path) -> None:
    archive = tar(tmp_path / "a", ("caf\udce9.tex", TEX, None))
    unpack(archive, place, "a")
    assert [path.name for path in place.iterdir()] == ["café.tex"]


SMALL = Limits(compressed=10_000, total=200_000, text=50_000, members=5, ratio=20, ratio_floor=1_000)


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ([("zeros.bin", bytes(100_000), None)], "20 times its size"),
        ([("a.bin", bytes(range(256)) * 1000, None)], "times its size|0 MB"),
    ],
)
def test_limits_hold(tmp_path: Path, place: Path, members: list[tuple[str, bytes, None]], words: str) -> None:
    with pytest.raises(InputError, match=words):
        unpack(tar(tmp_path / "a", *members), place, "a", SMALL)


def test_members_are_counted(tmp_path: Path, place: Path) -> None:
    archive = tar(tmp_path / "a", *[(f"{i}.tex", b"x", None) for i in range(6)])
    with pytest.raises(InputError, match="more than 5 members"):
        unpack(archive, place, "a", SMALL._replace(ratio=1000))


def test_size_and_time_have_limits(tmp_path: Path, place: Path) -> None:
    archive = tar(tmp_path / "a", ("a.bin", bytes(150_000), None), mode="w")
    with pytest.raises(InputError, match="more than the 0 MB"):
        unpack(archive, place, "a", SMALL)
    with pytest.raises(InputError, match="longer than 0 s"):
        unpack(archive, place, "a", Limits(seconds=0.0))


def test_large_text_is_left_out_by_name(tmp_path: Path, place: Path) -> None:
    limits = Limits(text=1000)
    archive = tar(
        tmp_path / "a", ("main.tex", TEX, None), ("big.bib", b"@" * 2000, None), ("big.dat", b"1" * 2000, None)
    )
    _, warnings = unpack(archive, place, "a", limits)
    assert sorted(files(place)) == ["big.dat", "main.tex"]
    assert "'big.bib'" in warnings[0]


def test_a_sparse_file_that_claims_terabytes_is_left_out(tmp_path: Path, place: Path) -> None:
    info = tarfile.TarInfo("holes.tex")
    info.type = tarfile.GNUTYPE_SPARSE
    header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    header[483:495] = b"77777777777\0"
    header[148:156] = b"%06o\0 " % (sum(header[:148]) + 256 + sum(header[156:512]))
    (tmp_path / "a").write_bytes(bytes(header) + bytes(1024))
    _, warnings = unpack(tmp_path / "a", place, "a")
    assert files(place) == {}
    assert "sparse" in warnings[0]


def test_headers_can_not_fill_the_memory(tmp_path: Path, place: Path) -> None:
    info = tarfile.TarInfo("x")
    info.pax_headers = {"comment": "y" * 5_000_000}
    (tmp_path / "a").write_bytes(info.tobuf(tarfile.PAX_FORMAT) + bytes(1024))
    with pytest.raises(InputError, match="headers"):
        unpack(tmp_path / "a", place, "a")


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 0.99])
def test_a_cut_archive_is_damaged(tmp_path: Path, place: Path, share: float) -> None:
    whole = tar(tmp_path / "a", *[(f"{i}.tex", TEX * 50 + bytes([i]) * i, None) for i in range(100)]).read_bytes()
    (tmp_path / "b").write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(DamagedError, match="b is damaged or cut short"):
        unpack(tmp_path / "b", place, "b")


def test_a_chain_of_headers_is_damage_and_not_a_crash(tmp_path: Path, place: Path) -> None:
    name = tarfile.TarInfo("././@LongLink")
    name.type, name.size = tarfile.GNUTYPE_LONGNAME, 2
    (tmp_path / "a").write_bytes((name.tobuf() + b"a\0".ljust(512, b"\0")) * 1900)
    with pytest.raises(InputError, match="damaged"):
        unpack(tmp_path / "a", place, "a")


def zipped(path: Path, members: dict[str, bytes], *, mode: int = 0) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return path


def test_zip_has_the_same_rules(tmp_path: Path, place: Path) -> None:
    archive = zipped(tmp_path / "a", {"p/main.tex": TEX, "__MACOSX/p": b"x", "p/": b""})
    assert unpack(archive, place, "a") == ("zip", ())
    assert files(place) == {"p/main.tex": TEX}


@pytest.mark.parametrize(
    ("name", "mode", "words"),
    [("../x.tex", 0, "outside"), ("/x.tex", 0, "outside"), ("x", 0o120777, "link"), ("x", 0o020666, "special")],
)
def test_zip_can_be_hostile_too(tmp_path: Path, place: Path, name: str, mode: int, words: str) -> None:
    with pytest.raises(InputError, match=words):
        unpack(zipped(tmp_path / "a", {name: b"/etc/passwd"}, mode=mode), place, "a")
    assert alone(place)


def test_zip_bombs_are_refused(tmp_path: Path, place: Path) -> None:
    with pytest.raises(InputError, match="times its size"):
        unpack(zipped(tmp_path / "a", {"z.bin": bytes(100_000)}), place, "a", SMALL)
    with pytest.raises(InputError, match="more than 5 members"):
        unpack(zipped(tmp_path / "b", {f"{i}": b"" for i in range(11)}), place, "b", SMALL)


NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=60) | st.lists(
    st.sampled_from(["..", ".", "", "a", "b.tex", "\\", "C:", "~", "._x", "-rf", "a" * 50]), min_size=1, max_size=8
).map("/".join)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(NAMES, st.sampled_from([tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE]), NAMES),
        max_size=6,
    )
)
@example([("a", tarfile.SYMTYPE, ".."), ("a/evil", tarfile.REGTYPE, "x")])
def test_no_name_leads_outside(tmp_path_factory: pytest.TempPathFactory, members: list[tuple[str, bytes, str]]) -> None:
    base = tmp_path_factory.mktemp("names")
    place = base / "outer" / "inner"
    place.mkdir(parents=True)
    archive = tar(
        base / "a", *[(name, b"x" if type_ == tarfile.REGTYPE else b"", kind(type_, to)) for name, type_, to in members]
    )
    with suppress(InputError):
        unpack(archive, place, "a")
    assert alone(place)
    assert sorted(path.name for path in base.iterdir()) == ["a", "outer"]
    assert not any(path.is_symlink() for path in place.rglob("*"))


SEED = io.BytesIO()
with tarfile.open(fileobj=SEED, mode="w") as _seed:
    for _name in ("a.tex", "b" * 150 + ".tex", "c/é.bib"):
        _info = tarfile.TarInfo(_name)
        _info.size, _info.pax_headers = 40, {"comment": "x"}
        _seed.addfile(_info, io.BytesIO(b"y" * 40))


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, len(SEED.getvalue()) - 1), st.integers(0, 255)), min_size=1, max_size=12),
    st.integers(0, 3000),
)
def test_any_bytes_are_files_or_one_sentence(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, int]], cut: int
) -> None:
    data = bytearray(SEED.getvalue())
    for place, value in changes:
        data[place] = value
    base = tmp_path_factory.mktemp("bytes")
    (base / "in").mkdir()
    (base / "a").write_bytes(data[: len(data) - cut])
    try:
        unpack(base / "a", base / "in", "a")
    except InputError as error:
        assert "\n" not in str(error)
    assert sorted(path.name for path in base.iterdir()) == ["a", "in"]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"", "empty"), (bytes(600), "empty"), (b"%PDF-1.4", "pdf"), (b"%!PS", "postscript"), (b"PK\x03\x04", "zip"),
        (b"\x1f\x8b\x08", "gzip"), (b"<!DOCTYPE html>", "html"), (b"\xef\xbb\xbf<html>", "html"), (TEX, "tex"),
        (b"% a comment\n", "tex"), (b"\\documentclass{a}\0", "tex"), (b"\x89PNG\r\n\0\0", "unknown"),
    ],
)  # fmt: skip
def test_magic(head: bytes, expected: str) -> None:
    assert sniff(head) == expected
