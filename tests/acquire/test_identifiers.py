"""Names of papers and repositories: what is one, what is none, and nothing that git could take for an option."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ingest.acquire.identifiers import ArxivId, GithubRef, is_git_ref, parse_arxiv, parse_github

NEW = st.builds("{:04d}.{:05d}".format, st.integers(0, 9999), st.integers(0, 99999))
OLD = st.builds("{}/{:07d}".format, st.sampled_from(["hep-th", "math.AG", "cs", "cond-mat"]), st.integers(0, 9999999))


@given(
    NEW | OLD,
    st.none() | st.integers(1, 99),
    st.sampled_from(["", "arXiv:", "https://arxiv.org/abs/", "arxiv.org/pdf/"]),
)
def test_an_id_is_read_back(number: str, version: int | None, before: str) -> None:
    identifier = ArxivId(number, version)
    assert parse_arxiv(before + str(identifier)) == identifier


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1706",
        "1706.037",
        "1706.03762v0",
        "1706.03762 v2",
        "hep-th/99",
        "arxiv.org/abs",
        "doi:10.1000/182",
        "a/b",
        "٣٤٥٦.٧٨٩٠",
    ],
)
def test_no_ids(text: str) -> None:
    assert parse_arxiv(text) is None


OWNER = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9-]{0,20}", fullmatch=True)
NAME = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,20}", fullmatch=True)


@given(OWNER, NAME, st.none() | st.from_regex(r"[0-9a-f]{7,40}", fullmatch=True))
def test_a_repository_is_read_back(owner: str, name: str, at: str | None) -> None:
    wanted = GithubRef(owner, name, at)
    assert parse_github(f"{owner}/{name}" + (f"@{at}" if at else "")) == wanted
    assert parse_github(f"https://github.com/{owner}/{name}" + (f"/tree/{at}" if at else "")) == wanted
    assert parse_github(f"git@github.com:{owner}/{name}.git") == GithubRef(owner, name)


@given(st.text(max_size=60))
@example("--upload-pack=touch x")
@example("a/b@--exec")
@example("a/b@x:y")
@example("a/b@^main")
def test_no_text_becomes_an_option_or_a_range(text: str) -> None:
    found = parse_github(text)
    for part in found or ():
        assert part is None or (part[0] not in "-^:" and ".." not in part and not set(part) & set(" \t\n:~^?*[\\"))
    assert not is_git_ref("-" + text)
