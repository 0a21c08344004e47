"""Papers on one's own disk: folders, archives, single files, and the sentence for each thing that is none."""

import gzip
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from servers.arxiv_shapes import TEX, tar_gz

from ingest.acquire import acquire_paper
from kg.config import Settings
from kg.errors import InputError, ServiceError


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings().replace(
        cache=tmp_path / "cache", arxiv__api="http://127.0.0.1:9", arxiv__eprint="http://127.0.0.1:9"
    )


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    folder = tmp_path / "Über Schafe"
    (folder / "sec").mkdir(parents=True)
    (folder / "main.tex").write_bytes(TEX)
    (folder / "sec/a.tex").write_bytes(b"\\section{A}")
    return folder


def test_a_folder_is_read_where_it_is(paper: Path, settings: Settings) -> None:
    source = acquire_paper(str(paper), settings)
    assert (source.folder, source.paper_id, source.status) == (paper, "local:uber-schafe", "ok")
    assert source.meta.version == f"sha256-{source.source_sha256[:16]}"
    assert not settings.cache.exists()


def other_ways(folder: Path, links: Path) -> list[str]:
    """Further paths to `folder`, as seen from its parent."""
    links.mkdir()
    (links / "other").symlink_to(folder)
    (links / "above").symlink_to(folder.parent)
    name = folder.name
    return [
        f"{folder}/", f"./{name}", f"{name}/", f"{name}/.", f"{name}/sec/..", f"../{folder.parent.name}/{name}",
        f"//{folder}", str(links / "other"), f"{links}/other/", f"{links}/above/{name}", f"{links}/other/../{name}",
    ]  # fmt: skip


def test_one_folder_is_one_paper_whichever_way_it_is_given(
    paper: Path, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(paper.parent)
    first = acquire_paper(str(paper), settings)
    for way in other_ways(paper, tmp_path / "links"):
        assert acquire_paper(way, settings) == first, way
    monkeypatch.chdir(paper / "sec")
    assert acquire_paper("..", settings) == first
    for way in ("../main.tex", f"{tmp_path}/links/other/main.tex"):
        assert acquire_paper(way, settings) == acquire_paper(str(paper / "main.tex"), settings), way


def test_the_hash_is_of_contents_and_names_only(paper: Path, settings: Settings) -> None:
    def sha256() -> str:
        return acquire_paper(str(paper), settings).source_sha256

    first = sha256()
    (paper / ".DS_Store").write_bytes(b"x")
    (paper / ".git").mkdir()
    (paper / ".git/HEAD").write_bytes(b"x")
    os.utime(paper / "main.tex", (1, 1))
    assert sha256() == first
    (paper / "sec/a.tex").write_bytes(b"\\section{B}")
    second = sha256()
    (paper / "sec/a.tex").rename(paper / "sec/b.tex")
    assert len({first, second, sha256()}) == 3


def test_an_archive_is_unpacked_once(tmp_path: Path, settings: Settings) -> None:
    archive = tmp_path / "sheep.tar.gz"
    archive.write_bytes(tar_gz({"main.tex": TEX, "._main.tex": b"x"}))
    source = acquire_paper(str(archive), settings)
    assert source.paper_id == "local:sheep"
    assert source.folder is not None
    assert [path.name for path in source.folder.iterdir()] == ["main.tex"]
    before = (source.folder / "main.tex").stat().st_ino
    assert acquire_paper(str(archive), settings) == source
    assert (source.folder / "main.tex").stat().st_ino == before


def test_a_gzipped_tex_is_an_archive_of_one(tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "p.gz").write_bytes(gzip.compress(TEX))
    source = acquire_paper(str(tmp_path / "p.gz"), settings)
    assert source.folder is not None
    assert (source.folder / "main.tex").read_bytes() == TEX


def test_a_tex_file_stands_for_its_folder(paper: Path, settings: Settings) -> None:
    source = acquire_paper(str(paper / "main.tex"), settings)
    assert (source.folder, source.main, source.paper_id) == (paper, "main.tex", "local:uber-schafe-main")
    assert source.source_sha256 == acquire_paper(str(paper), settings).source_sha256


@pytest.mark.parametrize(("arxiv", "version"), [("2101.00001v3", "v3"), ("arXiv:2101.00001", "sha256-")])
def test_a_local_paper_may_have_an_arxiv_id(paper: Path, settings: Settings, arxiv: str, version: str) -> None:
    source = acquire_paper(str(paper), settings, arxiv=arxiv)
    assert source.paper_id == "arxiv:2101.00001"
    assert source.meta.version.startswith(version)
    assert source.meta.arxiv_id == "2101.00001"
    with pytest.raises(InputError, match="'sheep' is not an arXiv id"):
        acquire_paper(str(paper), settings, arxiv="sheep")


def test_common_folder_names_take_their_parents(tmp_path: Path, settings: Settings) -> None:
    for slug in ("one", "two"):
        (tmp_path / slug / "latex").mkdir(parents=True)
        (tmp_path / slug / "latex/a.tex").write_bytes(TEX)
    ids = [acquire_paper(str(tmp_path / slug / "latex"), settings).paper_id for slug in ("one", "two")]
    assert ids == ["local:one-latex", "local:two-latex"]
    assert acquire_paper(str(tmp_path / "one/latex"), settings, slug="My Paper").paper_id == "local:my-paper"


def test_what_exists_is_a_path(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "2101.00001").mkdir()
    (tmp_path / "2101.00001/a.tex").write_bytes(TEX)
    monkeypatch.chdir(tmp_path)
    assert acquire_paper("2101.00001", settings).paper_id == "local:2101-00001"


def bad_inputs(tmp_path: Path) -> dict[str, tuple[Path, str]]:
    (tmp_path / "no-tex").mkdir()
    (tmp_path / "no-tex/readme.md").write_bytes(b"x")
    (tmp_path / "only-pdf").mkdir()
    (tmp_path / "only-pdf/p.PDF").write_bytes(b"%PDF")
    (tmp_path / "void").mkdir()
    contents = {
        "p.pdf": b"%PDF-1.5", "empty.tex": b"", "p.ps": b"%!PS-Adobe", "page.html": b"<html></html>",
        "noise.bin": b"\x89\0",
        "pdf.gz": gzip.compress(b"%PDF-1.5"), "void.tar.gz": tar_gz({}), "bad.tar.gz": tar_gz({"a.tex": TEX})[:60],
        "notex.tar.gz": tar_gz({"a.md": b"x"}), "evil.tar.gz": tar_gz({"../../evil.tex": TEX}),
        "notes.txt": b"\\section{a}",
    }  # fmt: skip
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "broken.tex").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe.tex")
    expected = {
        "missing": "neither an existing file", "no-tex": "has no .tex file;", "only-pdf": "only a PDF",
        "void": "no .tex file",
        "p.pdf": "is a PDF", "empty.tex": "is empty", "p.ps": "is PostScript", "page.html": "a web page",
        "noise.bin": "no archive and no .tex", "pdf.gz": "holds only a PDF", "void.tar.gz": "holds nothing",
        "bad.tar.gz": "damaged or cut short", "notex.tar.gz": "no .tex file", "evil.tar.gz": "outside its folder",
        "notes.txt": "not named .tex", "loop": "can't be read", "broken.tex": "link to nothing",
        "pipe.tex": "neither a file nor",
    }  # fmt: skip
    return {name: (tmp_path / name, words) for name, words in expected.items()}


def test_the_id_of_an_ingested_paper_leads_to_what_shows_it(settings: Settings) -> None:
    with pytest.raises(InputError, match=r"reads LaTeX; .*: xkg paper show local:edo"):
        acquire_paper("local:edo", settings)


def test_a_paper_does_not_say_how_it_is_read(paper: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XKG_CONFIG", raising=False)
    monkeypatch.chdir(paper)
    (paper / "xkg.toml").write_text('[llm]\nprofile = "theirs"\n')
    tex = next(paper.glob("*.tex"))
    for given in (paper, tex):
        with pytest.raises(InputError, match="run xkg from a folder outside of it"):
            acquire_paper(str(given), settings)
    monkeypatch.setenv("XKG_CONFIG", str(paper / "xkg.toml"))
    assert acquire_paper(str(paper), settings).folder == paper


def test_each_bad_input_has_its_sentence(tmp_path: Path, settings: Settings) -> None:
    for name, (path, words) in bad_inputs(tmp_path).items():
        with pytest.raises(InputError) as caught:
            acquire_paper(str(path), settings)
        sentence = str(caught.value)
        assert words in sentence, name
        assert name in sentence
        assert ";" in sentence, f"no remedy for {name}"
        assert "\n" not in sentence
    assert not list(tmp_path.glob("**/evil.tex"))
    kept = [path.parent.name for path in (settings.cache / "archives").glob("*/archive.json")]
    assert len(kept) == 1, "only the archive without .tex was sound"


@pytest.mark.parametrize(
    ("main", "words"), [("b.tex", "no file"), ("../x.tex", "outside"), ("sec", "no file"), ("a\0", "outside")]
)
def test_the_main_file_is_within(paper: Path, settings: Settings, main: str, words: str) -> None:
    (paper.parent / "x.tex").write_bytes(TEX)
    with pytest.raises(InputError, match=words):
        acquire_paper(str(paper), settings, main=main)


def test_links_are_not_followed(paper: Path, tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/key.tex").write_bytes(b"secret")
    before = acquire_paper(str(paper), settings).source_sha256
    (paper / "out").symlink_to(tmp_path / "secret")
    (paper / "key.tex").symlink_to(tmp_path / "secret/key.tex")
    assert acquire_paper(str(paper), settings).source_sha256 == before
    with pytest.raises(InputError, match="outside"):
        acquire_paper(str(paper), settings, main="key.tex")


@contextmanager
def nobody_in_particular() -> Iterator[None]:
    """To root nothing is unreadable, so root steps down for a moment."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


def test_an_unreadable_file_or_folder_is_named(settings: Settings) -> None:
    with TemporaryDirectory() as folder:
        place = Path(folder)
        place.chmod(0o755)
        (place / "main.tex").write_bytes(TEX)
        (place / "main.tex").chmod(0)
        with pytest.raises(InputError, match=r"main\.tex can't be read: Permission denied"), nobody_in_particular():
            acquire_paper(folder, settings)
        (place / "closed").mkdir(mode=0)
        with pytest.raises(InputError, match="closed can't be read: Permission denied"), nobody_in_particular():
            acquire_paper(str(place / "closed"), settings)


def test_a_cache_that_is_no_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "cache").write_bytes(b"x")
    (tmp_path / "p.tar.gz").write_bytes(tar_gz({"a.tex": TEX}))
    with pytest.raises(ServiceError, match="XKG_CACHE"):
        acquire_paper(str(tmp_path / "p.tar.gz"), Settings().replace(cache=tmp_path / "cache"))
