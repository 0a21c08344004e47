"""How tests stood the changes of what they test, and the one rule for whether that is enough."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from agents.code.mutants import Mutant
from agents.code.verify.noticing import Notice, Noticed
from agents.code.verify.varying import Narrow

__all__ = ["MIN_MUTANTS", "Weakness", "Weight", "weakness"]

MIN_MUTANTS = 4
"""A verdict on fewer mutants that could be tried would be a verdict on luck, unless the unit has no more of them."""
LEAST_NOTICED = 2
"""Mutants that must be noticed, in whatever way, where there are so many: one of two may be luck."""
LEAST_ASSERTED = 2
"""Different changes that assertions must notice for crashes to count beside them."""
LEAST_METHODS = 0.5
"""Part of the methods of a class, of those that tests call, whose results must be looked at."""


@dataclass(frozen=True)
class Weight:
    """How tests stood the mutants: those that were tried, and `untried` ones that were left out for lack of time, or as
    tests pass with a wrong result.

    `wrong` says how they noticed wrong results of the unit, by kind, as far as its results can be wrong in that way
    (together they count as one mutant more), `methods` how those of single methods of a class; `only_made` says that
    none of the methods that it has is called, but for those that make it. `inert` says that its
    result was found not to depend on what goes in, `refuted` what it says of itself and does not keep, `blind`
    that tests pass whatever happens: though the unit raises, or though they themselves are made to fail; `unwatchable`
    that they fail when its calls are watched, by something that changes nothing of them, `slow` that there is no time
    for that.
    """

    tried: Mapping[Mutant, Notice]
    untried: int = 0
    wrong: Mapping[str, Notice] = field(default_factory=dict)
    methods: Mapping[str, Notice] = field(default_factory=dict)
    only_made: bool = False
    inert: bool = False
    blind: bool = False
    unwatchable: bool = False
    slow: bool = False
    refuted: tuple[str, ...] = ()
    unseen_end: int = 0
    """The line of a function's last return, if tests pass where it returns None."""
    narrow: tuple[Narrow, ...] = ()
    """What the calls of the tests never vary."""
    compares: str = ""
    """The method of the repository by which its results are compared, if they are in a way of their own."""
    unordered: bool = False
    """Whether tests pass where its items are in another order, of which its documentation says nothing."""

    @property
    def counted(self) -> dict[Mutant, Notice]:
        """Those that tell something of the tests."""
        return {mutant: notice for mutant, notice in self.tried.items() if notice.how != Noticed.VOID}

    @property
    def mutants(self) -> int:
        """How many of these there are, wrong results among them."""
        return len(self.counted) + bool(self.wrong)

    @property
    def by_assertion(self) -> int:
        """How many of them an assertion of a test noticed."""
        replaced = any(notice.how == Noticed.ASSERTION for notice in self.wrong.values())
        return replaced + sum(notice.how == Noticed.ASSERTION for notice in self.tried.values())

    @property
    def crashes_count(self) -> bool:
        """Whether the tests look at results closely enough for a crash to be taken for their doing."""
        return len(self._asserted) >= LEAST_ASSERTED and self.by_value

    @property
    def by_value(self) -> bool:
        """Whether an assertion noticed more than that there is a result at all."""
        return any(kind != "none" for kind in self._asserted)

    @property
    def _asserted(self) -> list[str]:
        kinds: list[str] = [mutant.kind for mutant, notice in self.tried.items() if notice.how == Noticed.ASSERTION]
        return kinds + [kind for kind, notice in self.wrong.items() if notice.how == Noticed.ASSERTION]

    @property
    def telling(self) -> frozenset[str]:
        """The tests that noticed something by an assertion."""
        found = (*self.tried.values(), *self.wrong.values(), *self.methods.values())
        return frozenset(notice.test for notice in found if notice.how == Noticed.ASSERTION)

    @property
    def noticed(self) -> int:
        """How many of them were noticed in any way."""
        replaced = any(notice.how != Noticed.NOT for notice in self.wrong.values())
        return replaced + sum(notice.how != Noticed.NOT for notice in self.counted.values())

    @property
    def killed(self) -> int:
        """How many of them count as noticed."""
        return self.noticed if self.crashes_count else self.by_assertion

    @property
    def share(self) -> float:
        """Of the mutants that tell something, those that count as noticed."""
        return self.killed / self.mutants if self.mutants else 0.0

    @property
    def survivors(self) -> tuple[str, ...]:
        """Descriptions of those that nobody noticed, by line."""
        left = (mutant for mutant, notice in self.counted.items() if notice.how == Noticed.NOT)
        return tuple(mutant.description for mutant in sorted(left, key=lambda m: (m.line, m.description)))

    @property
    def unseen_parameter(self) -> str:
        """A change that leaves out a parameter, told, where nobody notices any such change, or another where it is."""
        taken = [mutant for mutant in self.counted if mutant.kind == "parameter"]
        noticed = [mutant for mutant, notice in self.counted.items() if notice.how != Noticed.NOT]
        lines, seen = {mutant.line for mutant in noticed}, {mutant.parameter for mutant in noticed}
        unseen = (mutant for mutant in taken if mutant.parameter not in seen and not mutant.elsewhere & lines)
        return min((mutant.description for mutant in unseen), default="")

    @property
    def unseen_opposite(self) -> str:
        """A change that takes something for its opposite, told, where nobody notices it."""
        unseen = (one for one, notice in self.counted.items() if (one.kind, notice.how) == ("opposite", Noticed.NOT))
        return min((mutant.description for mutant in unseen), default="")

    @property
    def hidden(self) -> tuple[Narrow, ...]:
        """What of that keeps from showing what a parameter does."""
        return tuple(one for one in self.narrow if one.hides)

    @property
    def short(self) -> bool:
        """Whether the time was too short for all mutants."""
        return bool(self.untried) and not self.passing_wrong

    @property
    def passing_wrong(self) -> tuple[str, ...]:
        """Kinds of wrong results with which the tests pass."""
        return tuple(kind for kind, notice in self.wrong.items() if notice.how == Noticed.NOT)


Weakness = Literal[
    "blind", "slow", "unwatchable", "stub", "wrong results pass", "inert", "end unseen", "parameter unseen", "narrow",
    "no mutants", "opposite unseen",
    "too little time", "too few killed", "no assertion", "too few by assertions", "existence only", "only made",
    "few methods", "refuted",
]  # fmt: skip


def weakness(weight: Weight, share: float, *, imported: bool = False, stub: bool = False) -> Weakness | None:
    """Why a test does not do, None if it does: the one rule for "tested well enough".

    It must notice every wrong result of the right type and shape, and `share` of the mutants, two if there are so many,
    one of them by an assertion. Nobody knows who wrote the test of an `imported` block, or to what end: all of its
    mutants must have been tried, and its assertions must notice `share` of those that do not crash by themselves.
    """
    crashed = weight.noticed - weight.by_assertion
    methods = weight.methods.values()
    found: tuple[tuple[bool, Weakness], ...] = (
        (stub, "stub"),
        (weight.blind, "blind"),
        (weight.slow, "slow"),
        (weight.unwatchable, "unwatchable"),
        (bool(weight.refuted), "refuted"),
        (bool(weight.passing_wrong), "wrong results pass"),
        (weight.inert, "inert"),
        (bool(weight.unseen_end), "end unseen"),
        (bool(weight.unseen_parameter), "parameter unseen"),
        (bool(weight.hidden), "narrow"),
        (bool(weight.unseen_opposite), "opposite unseen"),
        (bool(weight.untried) and (imported or weight.mutants < MIN_MUTANTS), "too little time"),
        (weight.mutants == 0, "no mutants"),
        (weight.by_assertion == 0, "no assertion"),
        (not imported and not weight.by_value, "existence only"),
        (weight.killed < share * weight.mutants, "too few killed"),
        (weight.noticed < min(LEAST_NOTICED, weight.mutants), "too few killed"),
        (imported and weight.by_assertion < share * (weight.mutants - crashed), "too few by assertions"),
        (weight.only_made, "only made"),
        (sum(notice.how != Noticed.NOT for notice in methods) < LEAST_METHODS * len(methods), "few methods"),
    )
    return next((why for holds, why in found if holds), None)
