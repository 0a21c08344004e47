"""What a paper calls its own: the name before its title's colon, or the short form of words of its title."""

import re
from collections import Counter
from collections.abc import Sequence

from ingest.extract.candidates import Candidate
from ingest.extract.mentions import Mentions
from ingest.extract.naming import is_shell
from ingest.extract.sentences import Sentence
from ingest.extract.words import STOP, commonness

__all__ = ["own_names"]

LEAST_MENTIONS = 5
_LONGEST_NAME = 4
_COINED = re.compile(r"(?=.{2,60}\Z)(?:[A-Za-z][A-Za-z0-9-]*[a-z0-9-][A-Z][A-Za-z0-9-]*\Z|[A-Z]{3,}[A-Za-z0-9-]*\Z)")
_NAME = re.compile(r"[A-Z][A-Za-z0-9-]{2,}\Z")
_SHORT = re.compile(r"[A-Z]{3,8}\Z")


def own_names(title: str, sentences: Sequence[Sentence], mentions: Mentions) -> list[Candidate]:
    """At most one candidate for each way: "Tidemark: sorting streams" where the paper speaks of Tidemark often, and
    "BRT" for "bounded river trees" though the paper never puts them side by side."""
    head, colon, _ = title.partition(":")
    named: list[tuple[str, tuple[str, ...]]] = []
    if colon and len(head.split()) <= _LONGEST_NAME and not is_shell(head) and not _is_everyday(head):
        named.append((" ".join(head.split()), ()))
    counts = Counter(token.text for s in sentences for token in s.tokens if _SHORT.match(token.text))
    for short, count in counts.items():
        if count >= LEAST_MENTIONS and (long := _spelled(short, title)):
            named.append((long, (short,)))
    named = named or [(name, ()) for name in _introduced(sentences)]
    found = []
    for name, aliases in named:
        places = mentions.of([name, *aliases])
        if len(places) >= LEAST_MENTIONS:
            s = sentences[places[0]]
            found.append(Candidate(name, "own", s.start, s.end, -1, "method", False, places[0], aliases))
    return found


def _introduced(sentences: Sequence[Sentence]) -> list[str]:
    """The coined name, the one oftenest said, that abstract or introduction give to what is theirs: "a system called
    TideMark"."""
    found: list[str] = []
    for s in sentences:
        if s.role in ("abstract", "intro"):
            words = [token.text for token in s.tokens]
            for at in range(1, len(words)):
                called = words[at - 1].lower() in ("called", "call", "dubbed", "named")
                ours = words[at - 1].lower() in ("propose", "introduce", "present", "develop") and "we" in map(
                    str.lower, words[max(0, at - 4) : at]
                )
                if (called and _NAME.match(words[at])) or (ours and _COINED.match(words[at])):
                    found.append(words[at])
    counts = Counter(token.text for s in sentences for token in s.tokens)
    return sorted(set(found), key=lambda name: (-counts[name], name))[:1]


def _is_everyday(name: str) -> bool:
    """Whether it is one word of the dictionary."""
    return " " not in name.strip() and commonness(name.strip().lower()) > 0


def _spelled(short: str, title: str) -> str:
    """The words of a title whose first letters are `short`, function words counted or not; "" if there are none."""
    words = re.findall(r"[\w'-]+", title)
    for first in range(len(words)):
        for last in range(first + 2, min(len(words), first + len(short) + 3) + 1):
            run = words[first:last]
            for kept in (run, [word for word in run if word.lower() not in STOP]):
                if "".join(word[0] for word in kept).upper() == short and run[-1].lower() not in STOP:
                    return " ".join(run)
    return ""
