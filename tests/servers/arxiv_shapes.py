"""Answers in the shapes that arXiv gives: Atom feeds of its query API, OAI records, e-prints, and its error pages."""

import gzip
import io
import tarfile
from collections.abc import Mapping
from xml.sax.saxutils import escape

ATOM = {"Content-Type": "application/atom+xml; charset=utf-8"}
TAR = {"Content-Type": "application/gzip", "ETag": '"sha256:0a1b"', "Last-Modified": "Tue, 04 Mar 2025 09:00:00 GMT"}
BUSY = b"<!DOCTYPE html><html><head><title>arXiv.org - busy</title></head><body>Rate exceeded.</body></html>"
TEX = b"\\documentclass{article}\n\\title{Counting Sheep}\n\\begin{document}\nWe count.\n\\end{document}\n"


def feed(*entries: str) -> bytes:
    return f"""<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" \
xmlns="http://www.w3.org/2005/Atom">
  <id>https://arxiv.org/api/cHxbiOdZaP56ODnBPIenZhzg5f8</id>
  <title>arXiv Query: search_query=&amp;id_list=&amp;start=0&amp;max_results=1</title>
  <updated>2026-04-12T22:10:20Z</updated>
  <opensearch:itemsPerPage>1</opensearch:itemsPerPage>
  <opensearch:totalResults>{len(entries)}</opensearch:totalResults>
  <opensearch:startIndex>0</opensearch:startIndex>
  {"".join(entries)}
</feed>
""".encode()


def entry(identifier: str, *, comment: str = "", extra: str = "") -> str:
    """One paper; `identifier` with its version."""
    return f"""<entry>
    <id>http://arxiv.org/abs/{identifier}</id>
    <title>Counting Sheep
      by Night</title>
    <updated>2021-05-02T17:00:01Z</updated>
    <link href="https://arxiv.org/abs/{identifier}" rel="alternate" type="text/html"/>
    <link href="https://arxiv.org/pdf/{identifier}" rel="related" type="application/pdf" title="pdf"/>
    <summary>  We count sheep,
  and then some.</summary>
    <category term="cs.LG" scheme="http://arxiv.org/schemas/atom"/>
    <category term="stat.ML" scheme="http://arxiv.org/schemas/atom"/>
    <published>2020-12-31T23:59:59Z</published>
    {f"<arxiv:comment>{escape(comment)}</arxiv:comment>" if comment else ""}
    {extra}
    <arxiv:primary_category term="cs.LG"/>
    <author><name>First Authör</name><arxiv:affiliation>Institute of Sheep</arxiv:affiliation></author>
    <author><name>Second Author</name></author>
  </entry>"""


def error(identifier: str) -> bytes:
    return feed(f"""<entry>
    <id>https://arxiv.org/api/errors#incorrect_id_format_for_{identifier}</id>
    <title>Error</title>
    <updated>2026-04-12T22:59:06Z</updated>
    <published>2026-04-12T22:59:06Z</published>
    <summary>incorrect id format for {identifier}</summary>
    <author><name>arXiv api core</name></author>
  </entry>""")


def oai(identifier: str, licence: str | None = "http://creativecommons.org/licenses/by/4.0/") -> bytes:
    told = f"<license>{licence}</license>" if licence else ""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-04-12T22:10:20Z</responseDate>
<GetRecord><record><header><identifier>oai:arXiv.org:{identifier}</identifier></header><metadata>
<arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"><id>{identifier}</id>
<version version="v1"><date>Thu, 31 Dec 2020 23:59:59 GMT</date><size>12kb</size></version>
{told}</arXivRaw></metadata></record></GetRecord></OAI-PMH>""".encode()


def tar_gz(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def gz(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)
