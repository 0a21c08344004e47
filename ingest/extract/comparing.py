"""Two technique trees of one paper: what both have, under which names and parents, and what only one has."""

from collections.abc import Iterable, Iterator

from ingest.extract.words import f1, key_of
from kg.models.paper import Model, Span
from kg.models.technique import Technique

__all__ = ["Comparison", "Match", "compare"]

ALIKE = 0.66
"""Token F1 from which names are of one technique, as in the technique benchmark."""


class Match(Model):
    """One technique in both trees, by name and parent's name ("" at the top) in each."""

    left: str
    right: str
    left_parent: str = ""
    right_parent: str = ""

    @property
    def renamed(self) -> bool:
        """Whether the names differ in more than spelling."""
        return key_of(self.left) != key_of(self.right)


class Comparison(Model):
    """`both` in the order of the left tree; `moved` are those of them whose parents are not matched to each other."""

    both: tuple[Match, ...]
    moved: tuple[Match, ...]
    only_left: tuple[str, ...]
    only_right: tuple[str, ...]

    @property
    def renamed(self) -> tuple[Match, ...]:
        """What is in both under different names."""
        return tuple(match for match in self.both if match.renamed)


def compare(left: Iterable[Technique], right: Iterable[Technique]) -> Comparison:
    """Match each technique with the one of the other tree that is most like it: by its names, else by its definition
    standing in the same place. Each has at most one match."""
    lefts, rights = list(_flat(left)), list(_flat(right))
    alike = [
        (-likeness, i, j)
        for i, (one, _) in enumerate(lefts)
        for j, (other, _) in enumerate(rights)
        if (likeness := _likeness(one, other)) >= ALIKE
    ]
    of_left: dict[int, int] = {}
    for _, i, j in sorted(alike):
        if i not in of_left and j not in of_left.values():
            of_left[i] = j
    names = {(lefts[i][0].name, rights[j][0].name) for i, j in of_left.items()}
    both = tuple(
        Match(left=lefts[i][0].name, right=rights[j][0].name, left_parent=lefts[i][1], right_parent=rights[j][1])
        for i, j in sorted(of_left.items())
    )
    taken = set(of_left.values())
    return Comparison(
        both=both,
        moved=tuple(
            match
            for match in both
            if (match.left_parent or match.right_parent) and (match.left_parent, match.right_parent) not in names
        ),
        only_left=tuple(each.name for i, (each, _) in enumerate(lefts) if i not in of_left),
        only_right=tuple(each.name for j, (each, _) in enumerate(rights) if j not in taken),
    )


def _flat(techniques: Iterable[Technique], parent: str = "") -> Iterator[tuple[Technique, str]]:
    for technique in techniques:
        yield technique, parent
        yield from _flat(technique.children, technique.name)


def _likeness(one: Technique, other: Technique) -> float:
    """Between 0 and 1; names count before places."""
    names = max(
        f1(key_of(mine), key_of(theirs)) for mine in (one.name, *one.aliases) for theirs in (other.name, *other.aliases)
    )
    places = any(_same(mine, theirs) for mine in _defined(one) for theirs in _defined(other))
    return max(names, ALIKE if places else 0.0)


def _defined(technique: Technique) -> list[Span]:
    return [quote.span for quote in technique.quotes if quote.role == "definition"]


def _same(one: Span, other: Span) -> bool:
    """Whether two places share more than half of the shorter."""
    shared = min(one.end, other.end) - max(one.start, other.start)
    return one.file == other.file and 2 * shared > min(one.end - one.start, other.end - other.start)
