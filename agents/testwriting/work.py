"""What has become of the tests of one unit so far: what stands, was refused or broke, and what a model is told."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from agents.testwriting.reply import Because, Nothing, UnitTests
from agents.testwriting.rules import Function, Refusal, Refused, Rules
from agents.testwriting.setups import joined, names_of, reached, rebound
from kg.models.execution import Judgement, OpenTest

__all__ = ["Work", "unnoticed"]

BROKE = "broke"
"""Why a function was left out that kept the rules: what it did before it could judge."""
_CHANGES = (
    (r"(?:returns|yields|the lambda returns) None$", "None is given back"),
    (r"`.*` is negated$", "a condition is turned round"),
    (r"`.*` is left out of `", "an operand is left out"),
    (r"`.*` gives back `", "a call is left out"),
    (r"`.*` is dropped$", "a statement is left out"),
    (r"\S+ is dropped$", "a sign is left out"),
    (r"(?:\d\S*|True|False) becomes ", "a constant is changed"),
    (r"[^`]+ becomes ", "an operator is changed"),
)
"""How changes of the code are said, and what may be told of each: neither its text before nor after it."""


@dataclass(frozen=True)
class Withdrawn:
    """A `function` that a reading took away, with its word why, and whether it calls it of something `elsewhere`.
    `failing` are the quotes of the assertion that did not hold, and of those after it, which nobody ran; `stood` the
    texts of the functions that were left then."""

    function: Function
    why: str
    elsewhere: bool
    failing: frozenset[str]
    stood: frozenset[str]


@dataclass
class Work:
    """`source` says what tests are written from.

    `kept` are functions that keep the rules and have not broken, by name; `refused` and `broken` the others of the last
    reply, these with what may be told of it; `silent` those of all replies of which nothing may be told, so that for
    who writes them they stand like those that are kept. `read` are the texts of those that a reading was shown, which
    each is once, in so many `readings`; `opened` is what came of these, `withdrawn` what they took away. `returned` are
    the tests of the last reply that were given back to who wrote them, by their text, with how they broke: only of the
    reply to that.
    """

    source: str = "the paper"
    kept: dict[str, Function] = field(default_factory=dict)
    setup: str = ""
    refused_setup: str = ""
    refused: list[Refused] = field(default_factory=list)
    broken: list[tuple[Function, str]] = field(default_factory=list)
    returned: dict[str, str] = field(default_factory=dict)
    silent: dict[str, Function] = field(default_factory=dict)
    dropped: Counter[str] = field(default_factory=Counter)
    counted: set[str] = field(default_factory=set)
    nothing: Nothing | None = None
    read: set[str] = field(default_factory=set)
    readings: int = 0
    opened: tuple[OpenTest, ...] = ()
    withdrawn: list[Withdrawn] = field(default_factory=list)
    calls: int = 0
    tokens: Counter[str] = field(default_factory=Counter)

    def take(self, reply: UnitTests, rules: Rules) -> None:
        """Keep of a reply what keeps the rules. Its setup is added to what stands, and replaces of that what only tests
        used which do not."""
        standing = {**self.silent, **self.kept}
        self.nothing = reply.nothing if not reply.tests and not self.kept else None
        free = names_of(self.setup) - reached(self.setup, (one.source for one in standing.values()))
        wrong = rules.setup(reply.setup)
        if not wrong and (names := rebound(self.setup, reply.setup, free)):
            wrong = f"it binds {', '.join(names)}, which tests that stand use: give yours another name"
        self.refused_setup = reply.setup if wrong else ""
        self.setup = self.setup if wrong else joined(self.setup, reply.setup, free)
        for given in reply.tests:
            found = rules.function(given, self.setup)
            if wrong:
                found = Refused(Refusal.SETUP, wrong, given.source)
            if isinstance(found, Refused):
                self.refused.append(found)
            elif any(found.source == one.function.source for one in self.withdrawn):
                continue
            elif found.name not in (held := {**standing, **self.kept}):
                self.kept[found.name] = found
            elif held[found.name].source != found.source:
                self.refused.append(Refused(Refusal.DUPLICATE, found.name, given.source))

    def again(self) -> None:
        """Forget what is about to be written anew."""
        self.dropped.update([BROKE] * len(self._untold))
        given_back = {function.source: said for function, said in self.broken if said}
        self.go_on()
        self.returned = given_back

    def go_on(self) -> None:
        """Begin with what stands; what does not has been counted, or is about to be written anew."""
        self.silent |= self._untold
        self.refused, self.broken, self.returned = [], [], {}

    @property
    def unread(self) -> dict[str, Function]:
        """Those that no reading was shown."""
        return {name: function for name, function in self.kept.items() if function.source not in self.read}

    def withdraw(self, found: Sequence[OpenTest], failing: Mapping[str, Because | None]) -> bool:
        """Take away what a reading calls open and lets go, where the assertions in `failing` do not hold; whether that
        is anything."""
        self.opened += tuple(found)
        gone = [(one, self.kept.pop(one.test)) for one in found if one.withdrawn]
        stood = frozenset(function.source for function in self.kept.values())
        for one, function in gone:
            quotes = frozenset[str]()
            if not one.held:
                because = failing.get(one.test)
                first = function.because.index(because) if because in function.because else 0
                quotes = frozenset(_flat(each.quote) for each in function.because[first:])
            elsewhere = one.elsewhere and self.readings == 1  # of one that was asked for later nothing else stands
            self.withdrawn.append(Withdrawn(function, one.why, elsewhere, quotes, stood))
        return bool(gone)

    @property
    def unsettled(self) -> list[tuple[Function, str]]:
        """Tests that were withdrawn as open and did not hold, with the word on each, where no later one that is kept
        quotes what did not hold: whether the code does what these words say, nobody knows."""
        return [
            (one.function, one.why)
            for one in self.withdrawn
            if not one.elsewhere and not one.failing <= self._quoted_since(one.stood)
        ]

    def _quoted_since(self, stood: frozenset[str]) -> set[str]:
        """What is quoted by those that are kept and were not among these."""
        later = [function for function in self.kept.values() if function.source not in stood]
        return {_flat(because.quote) for function in later for because in function.because}

    @property
    def choices(self) -> str:
        """Tests that were withdrawn as their words leave a choice, with it, as is told whether they held or not."""
        return _opened(one for one in self.withdrawn if not one.elsewhere)

    def drop(self) -> None:
        """Count what is left out for good, by reason; what is written twice, once."""
        for reason, source in [
            *((one.why.name.lower(), one.source) for one in self.refused),
            *((BROKE, function.source) for function, _ in self.broken),
        ]:
            self.dropped.update([reason] * (source not in self.counted))
            self.counted.add(source)

    @property
    def _untold(self) -> dict[str, Function]:
        """What broke in the last reply, and nobody may know."""
        return {function.name: function for function, said in self.broken if not said}

    @property
    def standing(self) -> str:
        """The tests that are not to be written anew, as is told: also those that broke, and nobody may know."""
        found = {**self.silent, **self._untold, **self.kept}
        return "\n\n".join(found[name].source for name in sorted(found))

    @property
    def told(self) -> str:
        """What went wrong, each test with its reason, as the model is told."""
        parts = [f"setup that was refused as a whole:\n{self.refused_setup}"] if self.refused_setup else []
        for one in self.refused:
            parts.append(f"{one.source}\n--> REFUSED: {one.why}: {one.detail}".removesuffix(": "))
        parts += [f"{function.source}\n--> BROKE:\n{said}" for function, said in self.broken if said]
        return "\n\n".join(parts)

    @property
    def left_out(self) -> str:
        """Every test that may not count, with its reason, for people."""
        silent = {**self.silent, **self._untold}.values()
        after = [f"{function.source}\n--> BROKE after a call had returned" for function in silent]
        return "\n\n".join(filter(None, [self.told, *after, self.open]))

    @property
    def open(self) -> str:
        """The tests that were withdrawn, each with the reason, for people."""
        return _opened(self.withdrawn)


def _opened(withdrawn: Iterable[Withdrawn]) -> str:
    return "\n\n".join(f"{one.function.source}\n--> OPEN: {one.why}" for one in withdrawn)


def _flat(quote: str) -> str:
    return " ".join(quote.split())


def _nowhere(_: int) -> str:
    return ""


def unnoticed(judgement: Judgement, unrun: Sequence[str] = (), within: Callable[[int], str] = _nowhere) -> str:
    """What tests that hold do not notice, as a model may be told it: cases that are `unrun`, lines and kinds of
    changes, `within` which function a line stands, and nothing of what stands in the code; "" where no more tests
    would help."""
    weak = judgement.reason.startswith("test too weak")
    if not weak and not unrun:
        return ""
    said, _, change = judgement.reason.partition("; it does not notice that ")
    weakness = [f"{said}, as by {_kind(change, within)}" if change else said] * weak
    return "\n".join(
        [
            *weakness,
            *dict.fromkeys(unrun),
            *dict.fromkeys(f"not noticed: {_kind(one, within)}" for one in judgement.survivors),
        ]
    )


def _kind(change: str, within: Callable[[int], str]) -> str:
    """The line of a change, and its kind."""
    line, _, what = change.partition(": ")
    number = line.removeprefix("line ")
    line += within(int(number)) if number.isdecimal() else ""
    return f"{line}: {next((said for form, said in _CHANGES if re.match(form, what)), 'something is changed')}"
