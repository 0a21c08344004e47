"""One entry of a model's answer held against the paper: what is true of it is kept, the rest dropped and counted."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ingest.extract.judged.drops import Drop, Reason
from ingest.extract.judged.passages import Passage, Passages
from ingest.extract.judged.quotes import Found, key, locate, says, sentences
from ingest.extract.judged.reply import SaidEntry, SaidFinding, SaidPart
from ingest.extract.words import key_of, stems
from ingest.latex.detex import readable
from kg.models.technique import Claim, Kind, Role, Status

__all__ = ["Checker", "Entry"]

MOST_WORDS = 6
SHORTEST_DEFINITION = 20
"""Letters and digits; a shorter quote is a name, not a sentence."""
LEAST_BEHIND_DOING = 3
"""Stems of a name of which the first, a word for what is done, need not be the paper's."""
ALIKE = 5
"""Letters that two stems of one word have in common at least."""
FOREIGN = 0.2
"""The share of words of a gloss that may be the model's own, beside the -ing word in front that says what is done."""
LONGEST_PHRASE = 120
MOST_PHRASES = 12
MOST_PARTS = 7
_NAME = re.compile(r"[^\W_][\w .,:'’/+&()*#–—-]*")
_FIRST_PERSON = re.compile(
    r"\b(?:we|our|ours|us|I|my|this (?:paper|work|article|study|thesis|dissertation|report)|"
    r"(?:is|are|was|were|been|newly) (?:proposed|introduced)|the proposed)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass
class Entry:
    """An entry as far as it is true. `quotes` are by what they do; `evidence` are passages beside the quotes'."""

    name: str
    kind: Kind
    parent: str
    status: Status | None
    coined: bool = False
    aliases: tuple[str, ...] = ()
    gloss: str = ""
    quotes: list[tuple[Role, Found]] = field(default_factory=list)
    evidence: list[Passage] = field(default_factory=list)
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    claim: Claim | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return self.name, *self.aliases

    @property
    def given(self) -> list[str]:
        """What was given in its support: the quotes and the other passages."""
        return [*(found.shown for _, found in self.quotes), *(passage.text for passage in self.evidence)]

    @property
    def passages(self) -> list[Passage]:
        """Where it stands, the quotes' passages first, each once."""
        return list(dict.fromkeys([*(found.passage for _, found in self.quotes), *self.evidence]))


class Checker:
    """Holds entries against `passages`, one after the other; `drops` collects what was not taken.

    `relocated` counts quotes that are true, but of another passage than the one named.
    """

    def __init__(self, passages: Passages) -> None:
        self.passages = passages
        self.drops: list[Drop] = []
        self.relocated = 0
        self.entries: list[Entry] = []

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        doc = self.passages.parsed.doc
        texts = (doc.title, doc.abstract, *(passage.text for passage in self.passages.items))
        return frozenset(stem for text in texts for stem in stems(text))

    def take(self, said: SaidEntry) -> Entry | None:
        """What is true of an entry, or None if it can't stand. A name that is taken is refused."""
        name = self.called(said)
        reason = self._bad_name(name)
        if reason is None:
            entry = Entry(name, said.kind, " ".join(said.parent.split()), said.status)
            reason = self._fill(entry, said)
            if reason is None:
                self.entries.append(entry)
                for part in said.parts[:MOST_PARTS]:
                    self._part(entry, part)
                for part in said.parts[MOST_PARTS:]:
                    self._drop(Reason.TOO_MANY, entry, part.name)
                return entry
        self.drops.append(Drop(reason=reason, entry=name or "(unnamed)", whole=True))
        return None

    def _part(self, whole: Entry, said: SaidPart) -> None:
        """Take a part as an entry below `whole`; its one quote both names and defines it."""
        name = self.called(said)
        entry = Entry(name, "technique", whole.name, None if whole.status == "proposed" else whole.status)
        reason = self._bad_name(name)
        if reason is None:
            found = self._quote(entry, said.definition.quote, said.definition.at)
            if found is None or not self._defines(entry, found):
                reason = Reason.DEFINITION_MISSING
            else:
                entry.quotes.append(("definition", found))
                reason = None if self._supported(entry, whole) else Reason.NAME_UNSUPPORTED
        if reason is None:
            self._gloss(entry, said)
            self.entries.append(entry)
        else:
            self.drops.append(Drop(reason=reason, entry=name or "(unnamed)", whole=True))

    @staticmethod
    def called(said: SaidEntry | SaidPart) -> str:
        """The name of an entry as drops and entries have it."""
        return " ".join(said.name.split()).strip(" .,;:")[: 2 * LONGEST_PHRASE]

    def known(self, name: str, names: Sequence[str]) -> Entry | None:
        """The entry that is called so, if it is one of `names`."""
        wanted = key_of(name)
        return next((e for e in self.entries if e.name in names and wanted in map(key_of, e.names)), None)

    def join(self, entry: Entry, said: SaidEntry) -> None:
        """Add to an entry what another part of the paper says of it: places, and a definition if it has only one."""
        for quoted in said.definition[:1]:
            found = self._quote(entry, quoted.quote, quoted.at)
            if found and sum(role == "definition" for role, _ in entry.quotes) < 2 and self._defines(entry, found):
                entry.quotes.append(("definition", found))
        self._evidence(entry, said.evidence)

    def _fill(self, entry: Entry, said: SaidEntry) -> Reason | None:
        """Put into `entry` what of it is true; why it can't stand."""
        if naming := self._quote(entry, said.naming.quote, said.naming.at):
            entry.quotes.append(("naming", naming))
        for quoted in said.definition[:2]:
            found = self._quote(entry, quoted.quote, quoted.at)
            if found and self._defines(entry, found):
                entry.quotes.append(("definition", found))
        self._evidence(entry, said.evidence)
        if not self._supported(entry):
            return Reason.NAME_UNSUPPORTED
        if not any(role == "definition" for role, _ in entry.quotes):
            return Reason.DEFINITION_MISSING
        entry.aliases = self._phrases(entry, said.aliases, exact=True)
        self._gloss(entry, said)
        entry.inputs = self._phrases(entry, said.inputs)
        entry.outputs = self._phrases(entry, said.outputs)
        if entry.kind == "finding":
            entry.status = None
            return self._claim(entry, said.finding)
        if entry.status == "proposed" and not any(map(self._by_the_authors, (found for _, found in entry.quotes))):
            self._drop(Reason.PROPOSED_UNSUPPORTED, entry)
            entry.status = None
        return None

    def _gloss(self, entry: Entry, said: SaidEntry | SaidPart) -> None:
        """Keep what it was said to be in full, which may stand as another name."""
        gloss = said.gloss.strip(" .")
        entry.gloss = next(iter(self._phrases(entry, [gloss] if gloss else [], foreign=FOREIGN)), "")
        entry.aliases += (entry.gloss,) * bool(entry.gloss)

    def _drop(self, reason: Reason, entry: Entry, detail: str = "") -> None:
        self.drops.append(Drop(reason=reason, entry=entry.name, detail=detail[:200]))

    def _bad_name(self, name: str) -> Reason | None:
        if not 1 <= len(name.split()) <= MOST_WORDS or len(name) > LONGEST_PHRASE:
            return Reason.NAME_LENGTH
        if not _NAME.fullmatch(name):
            return Reason.NAME_SYMBOLS
        taken = {key_of(other) for entry in self.entries for other in entry.names}
        return Reason.DUPLICATE if key_of(name) in taken else None

    def _quote(self, entry: Entry, quote: str, at: str) -> Found | None:
        found, there = locate(quote, at.strip("[] "), self.passages)
        if found is None:
            self._drop(Reason.QUOTE_MISSING, entry, quote)
        elif not there:
            self.relocated += 1
        return found

    def _defines(self, entry: Entry, found: Found) -> bool:
        if len(key(found.text)) < SHORTEST_DEFINITION:
            self._drop(Reason.QUOTE_SHORT, entry, found.text)
            return False
        others = (other for each in self.entries for role, other in each.quotes if role == "definition")
        mine = (other for role, other in entry.quotes if role == "definition")
        if any(found.overlaps(other) for other in (*others, *mine)):
            self._drop(Reason.DEFINITION_TWICE, entry, found.text)
            return False
        return True

    def _evidence(self, entry: Entry, ids: Iterable[str]) -> None:
        for said in ids:
            passage = self.passages.by_id.get(said.strip("[] "))
            if passage is None:
                self._drop(Reason.PLACE_UNKNOWN, entry, said)
            elif passage not in entry.evidence:
                entry.evidence.append(passage)

    def _supported(self, entry: Entry, whole: Entry | None = None) -> bool:
        """Whether the paper bears the name out: a passage given for the entry says it, one quote has all of its words,
        or all these together have them and at least two have some.

        A name that no passage says as it stands is coined, and may begin with a word of its own for what is done
        ("taking" for "taken"). A part may borrow words of what is given for its `whole`, and of its passage.
        """
        wanted = _behind_doing(entry.name)
        entry.coined = not self._said(entry.name)
        given = [text for each in (entry, whole) if each for text in each.given]
        supports = sum(any(_has(text, [word]) for word in wanted) for text in given)
        everything = " ".join([*given, *(passage.text for passage in entry.passages)])
        if any(says(passage.text, entry.name) for passage in entry.passages):
            return True
        if any(_has(found.passage.text if whole else found.shown, wanted) for _, found in entry.quotes):
            return True
        return supports >= 2 and _has(everything, wanted)

    def _said(self, name: str) -> bool:
        """Whether the paper says a name, be it in its title."""
        texts = (self.passages.parsed.doc.title, *(passage.text for passage in self.passages.items))
        return any(says(text, name) for text in texts)

    def _phrases(
        self, entry: Entry, said: Iterable[str], *, exact: bool = False, foreign: float = 0.0
    ) -> tuple[str, ...]:
        """The phrases that are the paper's: said by a passage, or made of its words, but for a `foreign` share."""
        kept: list[str] = []
        for phrase in (" ".join(each.split()) for each in said):
            wanted = _behind_doing(phrase) if foreign else stems(phrase)
            true = self._said(phrase) if exact else _covered(wanted, self._vocabulary, foreign)
            if not true or not phrase or len(phrase) > LONGEST_PHRASE or len(kept) == MOST_PHRASES:
                self._drop(Reason.WORDS_FOREIGN, entry, phrase)
            elif key(read := readable(phrase) if "\\" in phrase or "$" in phrase else phrase) not in {
                key(entry.name),
                *map(key, kept),
            }:
                kept.append(read)
        return tuple(kept)

    def _by_the_authors(self, found: Found) -> bool:
        """Whether a sentence that is quoted, or a part of it, is about what the authors do."""
        return any(
            sentence.first <= found.last and found.first <= sentence.last and _FIRST_PERSON.search(sentence.shown)
            for sentence in sentences(found.passage)
        )

    def _claim(self, entry: Entry, said: SaidFinding | None) -> Reason | None:
        if said is None or not said.subject:
            return Reason.CLAIM_MISSING
        kept = {name: self._phrases(entry, [value])[:1] for name, value in said if value and name != "number"}
        entry.claim = Claim(**{name: value[0] for name, value in kept.items() if value}, number=said.number.strip())
        numbers = _NUMBER.findall(said.number)
        places = [found.text for _, found in entry.quotes]
        places += [passage.text for passage in entry.passages if passage.kind == "table"]
        there = {number for text in places for number in _NUMBER.findall(text)}
        return None if set(numbers) <= there and (numbers or not said.number) else Reason.NUMBER_UNSUPPORTED


def _behind_doing(phrase: str) -> tuple[str, ...]:
    """Its stems, but for a word in front that says what is done."""
    wanted, front = stems(phrase), phrase.partition(" ")[0]
    doing = front.endswith("ing") and stems(front) == wanted[:1] and len(wanted) >= LEAST_BEHIND_DOING
    return wanted[1:] if doing else wanted


def _has(text: str, wanted: Sequence[str]) -> bool:
    """Whether a text has all these stems; see `_covered`."""
    return _covered(wanted, frozenset(stems(text)))


def _covered(wanted: Sequence[str], there: frozenset[str], foreign: float = 0.0) -> bool:
    """Whether all these stems are there, but for a share of them; long ones in another form, too (decomposed for
    decomposition)."""
    missing = sum(
        word not in there
        and not any(min(len(word), len(s)) >= ALIKE and (s.startswith(word) or word.startswith(s)) for s in there)
        for word in wanted
    )
    return missing <= foreign * len(wanted)
