"""What a blacklist recognises, what it lets pass, and what it leaves of a text."""

import json
from pathlib import Path
from urllib.parse import quote

import pytest
from blacklist.disguises import PAPER_WAYS, REPOSITORY_WAYS, UNRELATED
from hypothesis import given
from hypothesis import strategies as st

from kg.blacklist import NOTHING, WITHHELD, Blacklist, open_blacklist, plain, repositories_named
from kg.config import Settings
from kg.errors import InputError


def listed(folder: Path, *lines: str) -> Blacklist:
    file = folder / "blacklist.txt"
    file.write_text("\n".join(lines), encoding="utf-8")
    return open_blacklist(Settings().replace(blacklist=(file,)))


@pytest.fixture(scope="module")
def blacklist(tmp_path_factory: pytest.TempPathFactory) -> Blacklist:
    return listed(tmp_path_factory.mktemp("list"), "https://github.com/kvfrans/fre  ", "arXiv:2402.17135v2")


@pytest.mark.parametrize("text", [*REPOSITORY_WAYS.values(), *PAPER_WAYS.values()], ids=[*REPOSITORY_WAYS, *PAPER_WAYS])
def test_what_leads_there_is_forbidden(blacklist: Blacklist, text: str) -> None:
    found = blacklist.forbids(text)
    assert found is not None
    assert found.text == ("arXiv:2402.17135v2" if text in PAPER_WAYS.values() else "https://github.com/kvfrans/fre")


@pytest.mark.parametrize("text", UNRELATED)
def test_what_only_looks_like_it_is_not(blacklist: Blacklist, text: str) -> None:
    assert blacklist.forbids(text) is None
    assert blacklist.mask(f"see {text}, please") == f"see {text}, please"


HIDDEN = {"vendored", "hub's cache", "folder", "unpacked", "zip", "proxy with query", "software heritage", "cdn",
          "notebook", "pip by name"}  # fmt: skip


@pytest.mark.parametrize("way", sorted(REPOSITORY_WAYS.keys() - HIDDEN))
def test_an_entry_may_be_written_in_many_ways(way: str, tmp_path: Path) -> None:
    written = REPOSITORY_WAYS[way]
    (entry,) = listed(tmp_path, written).entries
    assert entry.repository == "kvfrans/fre"


@pytest.mark.parametrize(
    ("line", "forbidden", "allowed"),
    [
        ("hep-th/9901001", "https://arxiv.org/abs/hep-th/9901001v2", "hep-th/9901002"),
        ("math.GT/0309136", "arxiv:math/0309136", "arxiv:math/0309137"),
        ("doi:10.1145/3292500.33", "https://dl.acm.org/doi/10.1145/3292500.33", "doi:10.1145/3292500.34"),
        ("https://sites.google.com/view/fre/", "http://sites.google.com/view/fre/home#x", "sites.google.com/view/fr"),
        ("https://openreview.net/forum?id=aB_1", "openreview.net/pdf?id=aB_1", "openreview.net/pdf?id=aB_2"),
        ("https://gitlab.com/a/b/c/-/tree/main", "git@gitlab.com:a/b/c.git", "https://gitlab.com/a/b"),
        ("https://huggingface.co/datasets/a/b", "huggingface.co/datasets/a/b", "huggingface.co/datasets/a/c"),
        ("https://github.com/kvfrans", "https://raw.githubusercontent.com/kvfrans/any/main/x", "github.com/kvfrans2/x"),
        ("https://someone.github.io", "https://someone.github.io/about", "https://other.github.io/about"),
        ("local:my-copy", "local:my-copy@sha256-0:a.py#f", "local:my-copy-2"),
        ("local:my-copy", "folder:my-copy@sha256-0:a.py#f", "folder:my-copy-2"),
        ("folder:my-copy", "folder:my-copy@sha256-0:a.py#f", "local:my-copy"),
        ("https://anonymous.4open.science/r/fre-1/", "anonymous.4open.science/r/fre-1/a.py", "4open.science/r/fre-2"),
    ],
)  # fmt: skip
def test_other_kinds_of_entries(line: str, forbidden: str, allowed: str, tmp_path: Path) -> None:
    blacklist = listed(tmp_path, line)
    assert blacklist.forbids(forbidden)
    assert blacklist.forbids(allowed) is None


@pytest.mark.parametrize("content", ["", "none", "None \n", "\ufeffnone\n\n", "# nothing\n"])
def test_a_list_of_nothing_is_not_in_force(content: str, tmp_path: Path) -> None:
    blacklist = listed(tmp_path, content)
    assert not blacklist
    assert blacklist == NOTHING
    assert blacklist.forbids("https://github.com/kvfrans/fre") is None


def test_a_list_that_cannot_be_read_stops_everything(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"blacklist\.txt:2"):
        listed(tmp_path, "kvfrans/fre", "whatever this is")
    with pytest.raises(InputError, match="can't be read"):
        open_blacklist(Settings().replace(blacklist=(tmp_path / "missing.txt",)))


def test_a_refusal_names_entry_file_and_line(tmp_path: Path) -> None:
    blacklist = listed(tmp_path, "", "https://github.com/kvfrans/fre")
    with pytest.raises(InputError, match=r"https://github\.com/kvfrans/fre \(.*blacklist\.txt:2\)"):
        blacklist.refuse("the repository x", "KVFRANS/FRE.git")


@pytest.mark.parametrize("text", [*REPOSITORY_WAYS.values(), *PAPER_WAYS.values()], ids=[*REPOSITORY_WAYS, *PAPER_WAYS])
def test_a_text_keeps_all_but_the_forbidden(blacklist: Blacklist, text: str) -> None:
    masked = blacklist.mask(f"Before. We compare with ({text}), others follow.\nAfter.")
    assert blacklist.forbids(masked) is None
    assert WITHHELD in masked
    assert masked.startswith("Before.")
    assert masked.endswith("\nAfter.")


def test_repositories_whose_address_stands_in_a_text() -> None:
    text = "Code: https://github.com/A/b_c.git. See www.gitlab.com/x/y/-/tree/z, github.com/alone and a/b."
    assert repositories_named(text) == ("a/b_c", "x/y")


def test_masking_leaves_code_and_json_whole(blacklist: Blacklist) -> None:
    code = "# from https://github.com/kvfrans/fre.\nimport x\nURL = 'github.com/kvfrans/fre'\n"
    masked = blacklist.mask(code)
    assert masked == f"# from {WITHHELD}.\nimport x\nURL = '{WITHHELD}'\n"
    value = {"files": {"a.py": code}, "n": [1, None, "kvfrans / fre"]}
    inside = json.loads(blacklist.mask_all({"module": json.dumps(value)})["module"])
    assert inside == {"files": {"a.py": masked}, "n": [1, None, WITHHELD]}


DECORATE = (
    lambda url: url.upper(), lambda url: url + "/", lambda url: url + ".git", lambda url: url.replace("/", "//"),
    lambda url: quote(url, safe=":/"), lambda url: quote(url, safe=""), lambda url: "git+" + url,
    lambda url: "https://ghproxy.example/" + url, lambda url: "https://web.archive.org/web/2023/" + url,
    lambda url: url.replace("://", "://user:pw@", 1), lambda url: url + "?a=b", lambda url: url + "#readme",
    lambda url: url + "/tree/main/src", lambda url: url.replace("https", "http", 1), lambda url: f" {url}\n",
    lambda url: url.replace("/", "&#x2f;"), lambda url: url.replace("/", "/./"), lambda url: url + "@v1.0#egg=x",
)  # fmt: skip
NAME = st.from_regex(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,12}[A-Za-z0-9])?", fullmatch=True)
REPOSITORY = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,12}", fullmatch=True)
HOSTS = st.sampled_from(["github.com", "www.github.com", "gitlab.com", "github.com:443", "raw.githubusercontent.com"])


@given(NAME, REPOSITORY, HOSTS, st.lists(st.sampled_from(DECORATE), max_size=5))
def test_any_decoration_of_a_forbidden_address_is_forbidden(
    tmp_path_factory: pytest.TempPathFactory, owner: str, name: str, host: str, decorations: list[object]
) -> None:
    blacklist = listed(tmp_path_factory.getbasetemp(), f"https://github.com/{owner}/{name}")
    url = f"https://{host}/{owner}/{name}"
    for decorate in decorations:
        url = decorate(url)  # type: ignore[operator]
    assert blacklist.forbids(url), url
    assert blacklist.forbids(blacklist.mask(f"text {url} text")) is None


@given(NAME, REPOSITORY, st.from_regex(r"[A-Za-z0-9_-]{1,6}", fullmatch=True))
def test_another_owner_or_a_longer_name_is_not(
    tmp_path_factory: pytest.TempPathFactory, owner: str, name: str, more: str
) -> None:
    blacklist = listed(tmp_path_factory.getbasetemp(), f"https://github.com/{owner}/{name}")
    for other in (f"{owner}/{name}-{more}", f"{owner}/{name}{more}", f"{more}{owner}/{name}", f"{owner}-{more}/{name}"):
        assert blacklist.forbids(f"https://github.com/{other}") is None, other


@given(st.text())
def test_plain_is_plain_and_masking_nothing_changes_nothing(text: str) -> None:
    assert "//" not in plain(text)
    assert NOTHING.mask(text) == text
