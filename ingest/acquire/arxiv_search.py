"""Papers on arXiv by words: its query API, every answer kept."""

import hashlib
import re

from ingest.acquire.arxiv_meta import feed_entries
from ingest.acquire.http import Pace
from kg.caching import load, save
from kg.config import Settings
from kg.files import disk_errors
from kg.models.paper import Model
from kg.models.record import PaperMeta

__all__ = ["search_arxiv"]


class _Found(Model):
    papers: tuple[PaperMeta, ...]


def search_arxiv(
    phrase: str, settings: Settings, *, most: int, title: bool = False, ask: bool = True
) -> tuple[PaperMeta, ...]:
    """At most `most` papers that say `phrase` (in their title, if `title`), the most relevant first; no licences.

    An answer is kept in the cache; without `ask` there is no other. Raises RemoteError if arXiv can't be asked or talks
    nonsense.
    """
    words = " ".join(re.findall(r"[^\W_]+", phrase))
    if not words:
        return ()
    query = f'{"ti" if title else "all"}:"{words}"'
    note = settings.cache / "arxiv" / "search" / f"{hashlib.sha256(f'{most} {query}'.encode()).hexdigest()[:32]}.json"
    known = load(note, _Found)
    if known is None and not ask:
        return ()
    if known is None:
        asked = {"search_query": query, "start": "0", "max_results": str(most), "sortBy": "relevance"}
        known = _Found(papers=feed_entries(asked, f"arXiv's papers on {words!r}", settings, Pace(settings, "arxiv")))
        with disk_errors(settings.cache):
            note.parent.mkdir(parents=True, exist_ok=True)
            save(note, known)
    return known.papers[:most]
