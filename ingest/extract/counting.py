"""Candidates that a paper keeps repeating."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

from ingest.extract.candidates import Candidate, inner_capital, make
from ingest.extract.naming import is_shell
from ingest.extract.sentences import Sentence
from ingest.extract.words import CONCEPT_HEADS, EMPTY_HEADS, STOCK, is_process_word, stems
from ingest.latex.reading import text_of

__all__ = ["frequent"]


def frequent(sentences: Sequence[Sentence]) -> list[Candidate]:
    """Multi-word noun phrases by how often they come, longer ones counting more; their weight grows with that."""
    places = _phrase_places(sentences)
    scored = []
    for key, found in places.items():
        value = math.log2(len(key) + 1) * len(found)
        if len(found) >= 3 and value >= 3:
            scored.append((value, key))
    scored.sort(key=lambda pair: (-pair[0], pair[1]))
    return [candidate for value, key in scored[:80] for candidate in _first_place(sentences, places[key], value)]


def _phrase_places(sentences: Sequence[Sentence]) -> dict[tuple[str, ...], list[tuple[int, int, int]]]:
    """Every run of two to five words inside a noun phrase that ends on a noun: stems → (sentence, first, last)."""
    places: dict[tuple[str, ...], list[tuple[int, int, int]]] = defaultdict(list)
    for index, sentence in enumerate(sentences):
        if sentence.role == "back":
            continue
        for first, last in sentence.phrases:
            for begin in range(first, last - 1):
                for end in range(begin + 2, min(last, begin + 5) + 1):
                    if sentence.tags[end - 1].startswith("NN"):
                        key = stems(" ".join(token.text for token in sentence.tokens[begin:end]))
                        if len(key) > 1:
                            places[key].append((index, begin, end))
    return places


def _first_place(
    sentences: Sequence[Sentence], places: list[tuple[int, int, int]], value: float
) -> Iterable[Candidate]:
    """The phrase at its first mention in a method section, else anywhere; a head that is mere quantity is refused."""
    order = {"method": 0, "background": 1, "experiment": 2}
    index, first, last = min(places, key=lambda place: (order.get(sentences[place[0]].role, 3), place[0]))
    sentence = sentences[index]
    head = sentence.tokens[last - 1].text
    process = is_process_word(head) or inner_capital(head)
    if text_of(sentence.tokens[first:last]).lower().removesuffix("s") in STOCK:
        return
    if not process and (head.lower() in CONCEPT_HEADS or len(places) < 5):
        return
    if last - first == 2 and head.lower() in EMPTY_HEADS and is_shell(sentence.tokens[first].text):
        return
    weight = min(0.12, 0.05 * math.log(value / 3)) - (0.0 if process else 0.30)
    yield from make(sentence, index, first, last, "frequent", weight=round(weight, 3))
