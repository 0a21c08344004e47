"""Papers from arXiv, by the real clients against a scripted host: ids, versions, shapes of e-prints, cache."""

import gzip

import pytest
from servers.arxiv_shapes import ATOM, TAR, TEX, entry, feed, gz, oai, tar_gz
from servers.scripted import Reply, ScriptedServer

from ingest.acquire import acquire_paper
from kg.config import Settings
from kg.errors import InputError, RemoteError

PAPER = "2101.00001v2"


def play(
    host: ScriptedServer, eprint: bytes, identifier: str = PAPER, *, kind: str = "application/gzip", **fields: str
) -> None:
    host.play("/api/query", Reply(body=feed(entry(identifier, **fields)), headers=ATOM))
    host.play("/oai", Reply(body=oai(identifier.rpartition("v")[0]), headers={"Content-Type": "text/xml"}))
    host.play(f"/e-print/{identifier}", Reply(body=eprint, headers=TAR | {"Content-Type": kind}))


def test_a_tarball_comes_with_all_that_arxiv_says(host: ScriptedServer, settings: Settings) -> None:
    extra = "<arxiv:doi>10.1000/182</arxiv:doi>"
    play(
        host, tar_gz({"paper.tex": TEX, "fig/a.png": b"\x89PNG"}), comment="Code at https://github.com/a/b", extra=extra
    )
    source = acquire_paper("2101.00001", settings)
    assert source.folder is not None
    assert (source.folder / "paper.tex").read_bytes() == TEX
    assert (source.folder / "fig/a.png").exists()
    assert (source.paper_id, source.meta.version, source.status, source.warnings) == (
        "arxiv:2101.00001",
        "v2",
        "ok",
        (),
    )
    meta = source.meta
    assert meta.title == "Counting Sheep by Night"
    assert meta.authors == ("First Authör", "Second Author")
    assert meta.abstract == "We count sheep, and then some."
    assert (meta.year, meta.categories, meta.doi) == (2020, ("cs.LG", "stat.ML"), "10.1000/182")
    assert meta.comment == "Code at https://github.com/a/b"
    assert meta.licence == "http://creativecommons.org/licenses/by/4.0/"
    assert meta.url == "https://arxiv.org/abs/2101.00001v2"


@pytest.mark.parametrize(
    "ref",
    [
        "2101.00001v2", "arXiv:2101.00001v2", "https://arxiv.org/abs/2101.00001v2", "http://arxiv.org/pdf/2101.00001v2.pdf",
        "https://arxiv.org/pdf/2101.00001v2", "https://www.arxiv.org/abs/2101.00001v2?context=cs",
    ],
)  # fmt: skip
def test_a_paper_has_many_names(host: ScriptedServer, settings: Settings, ref: str) -> None:
    play(host, tar_gz({"a.tex": TEX}))
    source = acquire_paper(ref, settings)
    assert (source.paper_id, source.meta.version) == ("arxiv:2101.00001", "v2")
    assert host.asked("/api/query")[0].query["id_list"] == ["2101.00001v2"]


@pytest.mark.parametrize("identifier", ["hep-th/9901001", "math.AG/0601001", "astro-ph/0601001"])
def test_old_ids_have_a_slash(host: ScriptedServer, settings: Settings, identifier: str) -> None:
    play(host, gz(TEX), f"{identifier}v1")
    source = acquire_paper(identifier, settings)
    assert source.paper_id == f"arxiv:{identifier}"
    assert source.main == "main.tex"
    assert source.folder is not None
    assert (source.folder / "main.tex").read_bytes() == TEX


def test_a_second_reading_needs_no_network(host: ScriptedServer, settings: Settings) -> None:
    play(host, tar_gz({"a.tex": TEX}))
    first = acquire_paper("2101.00001", settings)
    asked = len(host.requests)
    assert acquire_paper("2101.00001", settings) == first
    assert acquire_paper("2101.00001v2", settings) == first
    assert len(host.requests) == asked


def test_refresh_finds_the_new_version_and_the_old_one_stays(host: ScriptedServer, settings: Settings) -> None:
    play(host, tar_gz({"a.tex": TEX}))
    old = acquire_paper("2101.00001", settings)
    play(host, tar_gz({"a.tex": TEX + b"% more"}), "2101.00001v3")
    assert acquire_paper("2101.00001", settings).meta.version == "v2"
    new = acquire_paper("2101.00001", settings, refresh=True)
    assert new.meta.version == "v3"
    assert acquire_paper("2101.00001", settings) == new
    assert acquire_paper("2101.00001v2", settings) == old
    assert old.folder is not None
    assert (old.folder / "a.tex").exists()


def test_pdf_only_keeps_the_metadata(host: ScriptedServer, settings: Settings) -> None:
    play(host, b"%PDF-1.5\n%\xe2\xe3", kind="application/pdf")
    source = acquire_paper("2101.00001", settings)
    assert (source.status, source.folder) == ("pdf-only", None)
    assert source.meta.title == "Counting Sheep by Night"
    assert "only a PDF" in source.warnings[0]
    assert acquire_paper("2101.00001", settings) == source


@pytest.mark.parametrize(
    "eprint",
    [gz(b"%!PS-Adobe-2.0\n"), gz(b"<html><body>a paper</body></html>"), tar_gz({"a.ps": b"%!PS"})],
    ids=["postscript", "a page", "an archive"],
)
def test_a_source_without_latex_keeps_the_metadata(host: ScriptedServer, settings: Settings, eprint: bytes) -> None:
    play(host, eprint)
    source = acquire_paper("2101.00001", settings)
    assert (source.status, source.folder, source.meta.arxiv_id) == ("no-latex", None, "2101.00001")
    assert "no LaTeX" in source.warnings[0]


@pytest.mark.parametrize(
    "eprint",
    [gzip.compress(gz(TEX)), TEX, gzip.compress(tar_gz({"main.tex": TEX}))],
    ids=["twice", "not at all", "an archive twice"],
)
def test_one_compression_more_or_less_is_the_same_paper(
    host: ScriptedServer, settings: Settings, eprint: bytes
) -> None:
    play(host, eprint, kind="application/x-eprint")
    source = acquire_paper("2101.00001", settings)
    assert source.folder is not None
    assert (source.folder / "main.tex").read_bytes() == TEX


def test_the_eprint_may_live_elsewhere(host: ScriptedServer, settings: Settings) -> None:
    play(host, b"")
    host.play(f"/e-print/{PAPER}", Reply(301, headers={"Location": f"{host.url}/src/{PAPER}"}))
    host.play(f"/src/{PAPER}", Reply(body=tar_gz({"a.tex": TEX}), headers=TAR))
    assert acquire_paper("2101.00001", settings).status == "ok"


def test_an_unknown_licence_is_a_warning(host: ScriptedServer, settings: Settings) -> None:
    play(host, tar_gz({"a.tex": TEX}))
    host.play("/oai", Reply(503))
    source = acquire_paper("2101.00001", settings)
    assert source.meta.licence is None
    assert "licence" in source.warnings[0]


def test_a_withdrawn_paper_is_said_to_be(host: ScriptedServer, settings: Settings) -> None:
    play(host, gz(b"%auto-ignore\nThis paper has been withdrawn by the authors.\n"))
    with pytest.raises(InputError, match=r"2101\.00001v2 was withdrawn .*2101\.00001v1"):
        acquire_paper("2101.00001", settings)
    play(host, b"", comment="This paper has been withdrawn due to an error")
    host.play(f"/e-print/{PAPER}", Reply(404))
    with pytest.raises(InputError, match="withdrawn"):
        acquire_paper("2101.00001", settings)


def test_a_missing_source_is_named(host: ScriptedServer, settings: Settings) -> None:
    play(host, b"")
    host.play(f"/e-print/{PAPER}", Reply(404, b"<html>not found</html>"))
    with pytest.raises(InputError, match=r"no source of 2101\.00001v2"):
        acquire_paper("2101.00001", settings)


def test_the_main_file_is_checked(host: ScriptedServer, settings: Settings) -> None:
    play(host, tar_gz({"a.tex": TEX}))
    assert acquire_paper("2101.00001", settings, main="a.tex").main == "a.tex"
    with pytest.raises(InputError, match=r"no file 'b\.tex'"):
        acquire_paper("2101.00001", settings, main="b.tex")
    with pytest.raises(InputError, match="outside"):
        acquire_paper("2101.00001", settings, main="../paper.json")


def test_nonsense_is_no_paper(settings: Settings) -> None:
    for ref in ["", "nope", "https://example.org/2101.00001", "2101.00001v0", "../2101", "12345.67890"]:
        with pytest.raises(InputError, match="neither an existing file"):
            acquire_paper(ref, settings)


def test_another_paper_than_asked_is_refused(host: ScriptedServer, settings: Settings) -> None:
    play(host, tar_gz({"a.tex": TEX}), "2101.09999v1")
    with pytest.raises(RemoteError, match=r"answered with .*2101\.09999v1"):
        acquire_paper("2101.00001", settings)
