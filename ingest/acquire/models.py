"""What acquisition hands on: a paper's sources, a repository's files, and how each was come by."""

from pathlib import Path
from typing import Any, Literal

from kg.models.code import Repository
from kg.models.paper import Model
from kg.models.record import PaperMeta

__all__ = ["CorpusEntry", "PaperSource", "PaperStatus", "RepositoryHint", "RepositorySource", "SourceFacts", "Where"]

PaperStatus = Literal["ok", "pdf-only", "no-latex"]
Where = Literal["abstract", "comment", "text"]


class SourceFacts(Model):
    """What is known of a paper's source, wherever its files lie; `status` tells whether it is LaTeX.

    `main` is its root file where the user or the shape of the source decides it. `meta` is what is known of the paper:
    its id is ``arxiv:<id>`` or ``local:<slug>``, its version "v3" for arXiv, else ``sha256-<16 hex digits>``; for a
    local source the rest is empty, but for what the user named. `source_sha256` hashes the e-print or archive, or the
    files of a local folder.
    """

    main: str | None = None
    meta: PaperMeta
    source_sha256: str
    status: PaperStatus = "ok"
    warnings: tuple[str, ...] = ()


class PaperSource(SourceFacts):
    """A paper's LaTeX, ready to be read in `folder`; None where there is none."""

    folder: Path | None

    @property
    def paper_id(self) -> str:
        """The id of its Paper node."""
        return self.meta.id


class RepositorySource(Model):
    """A repository's files in `folder` at the one commit that `repository` names."""

    folder: Path
    repository: Repository
    warnings: tuple[str, ...] = ()


class RepositoryHint(Model):
    """The repository that a paper calls its own. `ref` can be given to `acquire_repository` if `host` is "github.com".

    `score` is in [0, 1]; `evidence` is the paper's sentence with the link; `where` is "abstract", "comment" or "text".
    """

    ref: str
    url: str
    host: str
    score: float
    evidence: str
    where: Where


class CorpusEntry(Model):
    """One paper of a corpus file. `slug` is the table's name; paths are absolute, ids and addresses as written.

    `plan` is why it is there, as `xkg corpus plan` wrote it (ingest.corpus.written): it decides no ingest.
    """

    slug: str
    paper: str
    main: str | None = None
    repo: str | None = None
    arxiv: str | None = None
    origin: str | None = None
    plan: dict[str, Any] | None = None
