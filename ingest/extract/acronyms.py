"""Short forms and what they stand for, as the paper itself spells them out."""

import re
from collections.abc import Iterable, Sequence

from ingest.extract.sentences import Sentence
from ingest.latex.reading import text_of

__all__ = ["acronyms", "spelled"]


def acronyms(sentences: Sequence[Sentence]) -> dict[str, tuple[str, int]]:
    """Short form → (long form, sentence index): "Long Form (LF)" and "LF (long form)", Schwartz and Hearst 2003."""
    found: dict[str, tuple[str, int]] = {}
    for index, sentence in enumerate(sentences):
        tokens = sentence.tokens
        for at in range(1, len(tokens) - 2):
            if tokens[at].text != "(" or tokens[at + 1].kind != "word":
                continue
            short = tokens[at + 1].text
            if (
                not re.search(r"[A-Z]", short)
                or not 2 <= len(short) <= 12
                or not (sum(c.isupper() for c in short) >= 2)
            ):
                continue
            if tokens[at + 2].text not in (")", ",", ";", "[cite]"):
                continue
            size = _long_form([token.text for token in tokens[max(0, at - 9) : at]], short)
            if size:
                long = text_of(tokens[at - size : at])
                key = short[:-1] if short.endswith("s") and short[:-1].isupper() else short
                if key not in found and not any(
                    token.kind == "punct" and token.text in ",;:." for token in tokens[at - size : at]
                ):
                    found[key] = (long, index)
    return found


def spelled(titles: Iterable[str], sentences: Sequence[Sentence]) -> dict[str, tuple[str, int]]:
    """Short form → (title, index of the first sentence that says it), where the first letters of a whole title of three
    words or more spell what the paper says though it puts them nowhere side by side."""
    said: dict[str, int] = {}
    for index, sentence in enumerate(sentences):
        for token in sentence.tokens:
            if token.kind == "word" and token.text.isupper() and len(token.text) > 2:
                said.setdefault(token.text, index)
    found: dict[str, tuple[str, int]] = {}
    for title in titles:
        short = "".join(word[0] for word in title.replace("-", " ").split()).upper()
        if short in said and short.isalpha():
            found.setdefault(short, (title, said[short]))
    return found


def _long_form(words: list[str], short: str) -> int:
    """How many words before the parenthesis spell the short form; 0 if none. Letters match from the right."""
    letters = [c.lower() for c in short if c.isalnum()]
    if letters and letters[-1] == "s" and short[-1] == "s" and len(letters) > 2:
        letters.pop()
    position = len(letters) - 1
    most = min(len(letters) + 5, 2 * len(letters) + 1, len(words))
    for used in range(1, most + 1):
        word = words[len(words) - used].lower()
        at = len(word) - 1
        while position >= 0 and at >= 0:
            first = position == 0
            if word[at] == letters[position] and (not first or at == 0 or not word[at - 1].isalnum()):
                position -= 1
            at -= 1
        if position < 0:
            long = " ".join(words[len(words) - used :])
            return used if used > 1 or "-" in long else 0
    return 0
