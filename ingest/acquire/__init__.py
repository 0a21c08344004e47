"""Sources come in: papers from arXiv or the disk, repositories from GitHub or the disk, all of them untrusted."""

from ingest.acquire.corpus import read_corpus
from ingest.acquire.evidence import find_repository
from ingest.acquire.models import CorpusEntry, PaperSource, RepositoryHint, RepositorySource
from ingest.acquire.sources import acquire_paper, acquire_repository

__all__ = [
    "CorpusEntry",
    "PaperSource",
    "RepositoryHint",
    "RepositorySource",
    "acquire_paper",
    "acquire_repository",
    "find_repository",
    "read_corpus",
]
