"""What of a model's answers about a search stands: techniques to look for, labels that were shown, true quotes."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from agents.retrieval.reply import Choice, Decomposition, Rejection, Reranking
from agents.retrieval.results import Drop, Dropped, Kept, Query, Rejected, Seen
from agents.retrieval.shown import Shown

__all__ = ["LONGEST_QUERY", "Sorted", "queries_of", "sort"]

LONGEST_QUERY = 400
"""Characters of a technique's name and words."""
LONGEST_REMARK = 1_000
SHORTEST_QUOTE = 8
"""Characters without white space."""
ORDER = ("direct", "adaptable", "background")
_SPACES = re.compile(r"\s+")
_BAR = re.compile(r"^\s*\|", re.MULTILINE)
"""What stands before lines of code as they are shown."""

Clean = Callable[[str], str]
"""What is done to every text of a model that is handed on."""


@dataclass(frozen=True)
class Sorted:
    """Hits: each is kept, rejected or unjudged; and what of the answer was dropped."""

    kept: tuple[Kept, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    unjudged: tuple[Seen, ...] = ()
    dropped: tuple[Dropped, ...] = ()


def queries_of(said: Decomposition, task: str, most: int, clean: Clean) -> tuple[list[Query], list[Dropped]]:
    """The techniques to search for, at most `most`, and what was said besides."""
    found: list[Query] = []
    dropped: list[Dropped] = []
    taken = {_plain(task)}
    for one in said.techniques:
        name, text = clean(one.name), clean(one.query) or clean(one.name)
        why = (
            Drop.EMPTY if not re.search(r"\w", text)
            else Drop.TOO_LONG if len(name) + len(text) > LONGEST_QUERY
            else Drop.TWICE if taken & {_plain(text), _plain(name)} - {""}
            else Drop.TOO_MANY if len(found) >= most
            else None
        )  # fmt: skip
        if why:
            dropped.append(Dropped(why=why, said=(name or text)[:LONGEST_QUERY]))
            continue
        taken |= {_plain(text), _plain(name)}
        found.append(Query(name=name or text, text=text))
    return found, dropped


def sort(said: Reranking, shown: Shown, unseen: tuple[Seen, ...], clean: Clean) -> Sorted:
    """What stands of the judgement on the `shown` hits, of two on one hit the first; `unseen` ones had no room."""
    kept: list[Kept] = []
    rejected: list[Rejected] = []
    dropped: list[Dropped] = []
    left = dict(shown.hits)
    said_of: tuple[Choice | Rejection, ...] = (*said.kept, *said.rejected)
    for one in said_of:
        label = one.hit.strip().strip("[]").upper()
        if label not in left:
            why = Drop.JUDGED_TWICE if label in shown.hits else Drop.UNKNOWN_HIT
            dropped.append(Dropped(why=why, said=clean(one.hit)[:LONGEST_QUERY]))
            continue
        seen = left.pop(label)
        if isinstance(one, Choice):
            kept.append(_kept(one, seen, shown.words[label], clean, dropped))
        else:
            rejected.append(_rejected(one, seen, clean))
    dropped += [Dropped(why=Drop.NOT_JUDGED, said=seen.hit.id) for seen in left.values()]
    dropped += [Dropped(why=Drop.NOT_SHOWN, said=seen.hit.id) for seen in unseen]
    kept.sort(key=lambda one: ORDER.index(one.relevance))
    return Sorted(tuple(kept), tuple(rejected), (*left.values(), *unseen), tuple(dropped))


def _kept(said: Choice, seen: Seen, words: str, clean: Clean, dropped: list[Dropped]) -> Kept:
    there = _SPACES.sub("", words)
    quotes: dict[str, None] = {}
    for copied in said.quotes:
        quote = _BAR.sub("", copied)
        wanted = _SPACES.sub("", quote)
        if len(wanted) >= SHORTEST_QUOTE and wanted in there:
            quotes[_remark(quote, clean)] = None
        else:
            dropped.append(Dropped(why=Drop.FALSE_QUOTE, said=_remark(quote, clean)))
    return Kept(
        hit=seen.hit, found=seen.found, relevance=said.relevance, why=_remark(said.why, clean),
        guidance=_remark(said.guidance, clean), beware=_remark(said.beware, clean), quotes=tuple(quotes),
    )  # fmt: skip


def _rejected(said: Rejection, seen: Seen, clean: Clean) -> Rejected:
    return Rejected(hit=seen.hit, found=seen.found, reason=said.reason, why=_remark(said.why, clean))


def _remark(text: str, clean: Clean) -> str:
    return clean(text)[:LONGEST_REMARK]


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
