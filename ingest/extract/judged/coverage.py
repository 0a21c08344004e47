"""What of a paper's method an answer passes over: headings, algorithms and equations without an entry or an excuse."""

from collections.abc import Iterable, Mapping

from ingest.extract.judged.checks import Entry
from ingest.extract.judged.drops import Drop, Reason
from ingest.extract.judged.passages import Passage, Passages
from ingest.extract.judged.reply import SaidExcuse, Why

__all__ = ["excuses", "uncovered"]

_REASON = {
    "heading": Reason.HEADING_UNCOVERED,
    "algorithm": Reason.ALGORITHM_UNCOVERED,
    "equation": Reason.EQUATION_UNCOVERED,
}


def excuses(said: Iterable[SaidExcuse], passages: Passages) -> tuple[dict[str, Why], list[Drop]]:
    """The excuse of each passage that has one, and those for passages that are not there.

    What is below an excused heading is excused with it, unless it is given another reason.
    """
    taken: dict[str, Why] = {}
    inherited: dict[str, Why] = {}
    drops: list[Drop] = []
    for excuse in said:
        for each in excuse.ids:
            passage = passages.by_id.get(each.strip("[] "))
            if passage is None:
                drops.append(Drop(reason=Reason.PLACE_UNKNOWN, entry="(excuse)", detail=each[:80]))
                continue
            taken.setdefault(passage.id, excuse.why)
            if passage.kind == "heading":
                for below in passages.inside(passage.start + 1, passage.end):
                    inherited.setdefault(below.id, excuse.why)
    return {**inherited, **taken}, drops


def uncovered(passages: Passages, entries: Iterable[Entry], excused: Mapping[str, Why]) -> list[tuple[Reason, Passage]]:
    """The headings of the method, its algorithms and its displayed equations that nothing answers for, in order.

    A heading is covered by an entry that stands anywhere below it, an equation by one that names it or the paragraph
    it is part of. What stands in an appendix needs neither, but its algorithms do; program listings do not.
    """
    used = {passage.id for entry in entries for passage in entry.passages}
    used |= {shown for passage in passages.items if passage.id in used for shown in passage.shows}
    starts = [passages.by_id[each].start for each in used]
    found = []
    for passage in passages.items:
        node = passages.node(passage)
        if passage.kind not in _REASON or passage.listing or passage.id in excused or passage.id in used:
            continue
        if passage.kind != "algorithm" and (node is None or node.role != "method" or node.appendix):
            continue
        if passage.kind == "heading" and any(passage.start <= start < passage.end for start in starts):
            continue
        found.append((_REASON[passage.kind], passage))
    return found
