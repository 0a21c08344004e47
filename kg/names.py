"""A name as it is printed, taken apart: "Plug and Play Language Models (PPLM)" is a name and its acronym."""

import re

__all__ = ["spells", "split_name"]

TRAILING = re.compile(r"(?P<before>[^()]*\w[^()]*?)\s*\((?P<inside>[^()]{2,120})\)(?P<after>[^()]*)")
PART = re.compile(r"[^\W_]+")
SKIPPED = frozenset({"a", "an", "and", "by", "for", "from", "in", "of", "on", "or", "the", "to", "via", "with"})
LONGEST_SHORT = 15
LONGEST_NAME = 400
"""Characters of what is taken apart: the pattern takes time by their square."""


def split_name(name: str) -> tuple[str, tuple[str, ...]]:
    """The name without its parenthesis, and the aliases that were in it; (`name`, ()) where there is none.

    A parenthesis is an alias only if one of the two spells the other ("FUDGE (Future Discriminators for
    Generation)"); the name is what is printed first. An acronym within a name replaces the words it stands for:
    "Neural Likelihood (NL) Estimation" is also "NL Estimation".
    """
    match = TRAILING.fullmatch(name.strip()) if len(name) <= LONGEST_NAME else None
    if not match:
        return name, ()
    before, inside, after = (" ".join(match[part].split()) for part in ("before", "inside", "after"))
    if spells(inside, before):
        whole = f"{before} {after}".strip()
        return whole, (f"{inside} {after}".strip(),)
    if not after and spells(before, inside):
        return before, (inside,)
    return name, ()


def spells(short: str, long: str) -> bool:
    """Whether `short` is a short form of all of `long`.

    Its characters are initials of the words in their order, or follow one inside its word; most words take part, or
    all of its three or more are initials. Words that both begin or end with are left out ("Group Robust
    Optimization", "Group RO").
    """
    few, many = _parts(short), _parts(long)
    while len(few) > 1 and len(many) > 1 and few[0].casefold() == many[0].casefold():
        few, many = few[1:], many[1:]
    while len(few) > 1 and len(many) > 1 and few[-1].casefold() == many[-1].casefold():
        few, many = few[:-1], many[:-1]
    letters = "".join(few)
    if letters.endswith("s") and letters[:-1].isupper():
        letters = letters[:-1]
    formed = sum(char.isupper() for char in letters) > 1 or (len(few) == 1 and letters[:1].isupper())
    if not formed or not 2 <= len(letters) <= LONGEST_SHORT or len(letters) >= len("".join(many)):
        return False
    words = [word for word in many if word.casefold() not in SKIPPED] or many
    used = max(_taken(letters.casefold(), [word.casefold() for word in each]) for each in (words, many))
    initials = used == len(letters) > 2
    return len(words) > 1 and (initials or 2 * used > len(words))


def _parts(text: str) -> list[str]:
    return PART.findall(text)


def _taken(letters: str, words: list[str]) -> int:
    """How many words take part where `words` spell `letters`; 0 if they do not."""
    if not words or not letters or letters[0] != words[0][0]:
        return 0
    best: dict[tuple[int, int], int] = {(0, 1): 1}
    for letter in letters[1:]:
        following: dict[tuple[int, int], int] = {}
        for (word, at), count in best.items():
            inside = words[word].find(letter, at)
            steps = [(word, inside + 1, count)] if inside >= 0 else []
            steps += [(later, 1, count + 1) for later in range(word + 1, len(words)) if words[later][0] == letter]
            for place, after, total in steps:
                following[place, after] = max(total, following.get((place, after), 0))
        best = following
    return max(best.values(), default=0)
