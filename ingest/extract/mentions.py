"""Where a paper says a name: sentences that hold the stems of a name in order and together."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from ingest.extract.sentences import Sentence
from ingest.extract.words import STOP, stems
from kg.words import stem

__all__ = ["Mentions"]


class Mentions:
    """An index of stemmed sentences; hyphenated words count as their parts, function words not at all."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self._stems: list[tuple[str, ...]] = []
        self._places: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for index, sentence in enumerate(sentences):
            sequence = tuple(_sequence(sentence))
            self._stems.append(sequence)
            for at, word in enumerate(sequence):
                self._places[word].append((index, at))

    def of(self, names: Iterable[str]) -> list[int]:
        """Indices of the sentences that hold one of the names, in order."""
        found: set[int] = set()
        for name in names:
            wanted = stems(name)
            if not wanted:
                continue
            offset, places = min(
                ((i, self._places.get(word, [])) for i, word in enumerate(wanted)), key=lambda p: len(p[1])
            )
            for index, at in places:
                first = at - offset
                if first >= 0 and self._stems[index][first : first + len(wanted)] == wanted:
                    found.add(index)
        return sorted(found)

    def count(self, word_stem: str) -> int:
        """How often the paper uses a stem."""
        return len(self._places.get(word_stem, []))


def _sequence(sentence: Sentence) -> Iterable[str]:
    for token in sentence.tokens:
        if token.kind in ("word", "math"):
            low = token.text.lower()
            if low.isalpha():
                if low not in STOP:
                    yield stem(low)
            else:
                yield from stems(low)
