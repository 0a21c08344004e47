"""What a search is narrowed to."""

from kg.models.paper import Model
from kg.search.results import CodeHit, Hit, SearchResult, TechniqueHit

__all__ = ["EVERYTHING", "Only", "still"]


class Only(Model):
    """Empty where nothing is narrowed: kinds of techniques or code, ids of papers, and what code must be.

    `licences` and `languages` are in lower case, "none" stands for no licence.
    """

    kinds: tuple[str, ...] = ()
    verdicts: tuple[str, ...] = ()
    licences: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    papers: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return any(self.model_dump().values())


EVERYTHING = Only()


def still(result: SearchResult, only: Only) -> SearchResult:
    """`result` without hits whose code no longer has one of the verdicts: what is believed here may be less."""
    if not only.verdicts:
        return result
    return result.model_copy(update={"hits": tuple(hit for hit in result.hits if _has(hit, only.verdicts))})


def _has(hit: Hit, verdicts: tuple[str, ...]) -> bool:
    if isinstance(hit, CodeHit):
        return hit.verdict in verdicts
    if isinstance(hit, TechniqueHit):
        return any(code.verdict in verdicts for code in (*hit.code, *hit.likely))
    return True
