"""The corpus file: what it may say, and the sentence for what it may not."""

from pathlib import Path

import pytest

from ingest.acquire import CorpusEntry, read_corpus
from kg.errors import InputError


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for name in ("sheep/latex", "sheep/code", "goat"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "cow.tar.gz").write_bytes(b"x")
    return tmp_path


def read(place: Path, text: str) -> tuple[CorpusEntry, ...]:
    (place / "corpus.toml").write_text(text, encoding="utf-8")
    return read_corpus(place / "corpus.toml")


@pytest.mark.parametrize(
    "other", ["goat/", "./goat", "goat/.", "sheep/../goat", "link", "link/", "around/goat", "{place}/goat"]
)
def test_one_folder_in_two_tables_is_one_paper(other: str, place: Path) -> None:
    (place / "link").symlink_to(place / "goat")
    (place / "around").symlink_to(place)
    with pytest.raises(InputError, match="are the same paper"):
        read(place, f'[a]\npaper = "goat"\n[b]\npaper = "{other.format(place=place)}"\n')


def test_all_keys(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place / "goat")
    sheep, remote, cow = read(
        place,
        """
        [sheep]
        paper = "sheep/latex"
        main = "main.tex"
        arxiv = "2101.00001v2"
        repo = "sheep/code"
        origin = "Farm/sheep.py@0123abc"
        [remote]
        paper = "hep-th/9901001"
        repo = "https://github.com/flock/goat/tree/v1.0"
        [cow]
        paper = "cow.tar.gz"
        repo = "flock/cow@main"
        """,
    )
    assert sheep == CorpusEntry(
        slug="sheep", paper=str(place / "sheep/latex"), main="main.tex", arxiv="2101.00001v2",
        repo=str(place / "sheep/code"), origin="Farm/sheep.py@0123abc",
    )  # fmt: skip
    assert (remote.paper, remote.repo, remote.main) == (
        "hep-th/9901001",
        "https://github.com/flock/goat/tree/v1.0",
        None,
    )
    assert (cow.paper, cow.repo) == (str(place / "cow.tar.gz"), "flock/cow@main")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has no papers"),
        ("[a", "not valid TOML"),
        ("paper = 'goat'", "'paper' is not a table"),
        ("[a]", "[a] has no `paper`"),
        ("[a]\npaper = 'goat'\nrepos = 'x'", "[a] has the unknown key 'repos'"),
        ("[a]\npaper = 'goat'\nzzz = 'x'", "the keys are paper, main"),
        ("[a]\npaper = 3", "[a] paper is not a text"),
        ("[a]\npaper = ' '", "[a] paper is not a text"),
        ("[a]\npaper = 'nope'", "[a] paper = 'nope' is neither"),
        ("[a]\npaper = 'goat'\nrepo = 'nope'", "[a] repo = 'nope' is neither"),
        ("[a]\npaper = 'goat'\narxiv = 'x'", "[a] arxiv = 'x' is not an arXiv id"),
        ("[a]\npaper = 'goat'\norigin = 'flock/goat'", "[a] origin = 'flock/goat' is not owner/name@commit"),
        ("[a]\npaper = 'goat'\n[b]\npaper = 'goat'", "[b] and [a] are the same paper"),
        ("[a]\npaper = '2101.00001'\n[b]\npaper = 'goat'\narxiv = '2101.00001v2'", "[b] and [a] are the same paper"),
        ("[a]\npaper = 'goat'\n[a]\npaper = 'goat'", "not valid TOML"),
        ("[a.b]\npaper = 'goat'", "[a] has the unknown key 'b'"),
    ],
)
def test_mistakes_are_named(place: Path, text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        read(place, text)
    assert words in str(caught.value)
    assert "corpus.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_one_folder_may_hold_two_papers(place: Path) -> None:
    assert len(read(place, "[a]\npaper = 'goat'\nmain = 'a.tex'\n[b]\npaper = 'goat'\nmain = 'b.tex'")) == 2


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't be read: No such file"):
        read_corpus(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"[a]\npaper = '\xe9'")
    with pytest.raises(InputError, match="not valid TOML"):
        read_corpus(tmp_path / "latin.toml")
