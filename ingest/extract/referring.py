"""What a sentence's references point to, put into words: "by applying the equation", "described in Section 3.1"."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ingest.extract.outline import Outline
from ingest.extract.sentences import Sentence
from ingest.latex import ParsedPaper
from ingest.latex.reading import Token, text_of

__all__ = ["kinds_of", "pointing_at", "targets_of", "worded"]

_KINDS = {"eq": "equation", "alg": "algorithm", "fig": "figure", "tab": "table", "thm": "result", "s": "section"}
_NOUNS = {"sec": "section", "eq": "equation", "fig": "figure", "tab": "table", "alg": "algorithm", "app": "appendix",
          "thm": "theorem", "prop": "proposition"}  # fmt: skip
_MARK = r"\u27e6([^\u27e6\u27e7]*)\u27e7"
_NOUN = (
    r"(?:section|sec\.|chapter|appendix|equation|eqn?\.?|figure|fig\.|table|tab\.|algorithm|alg\.|listing|theorem|thm\."
    r"|lemma|proposition|prop\.|line|step|item|part)"
)
_HOLE = re.compile(
    rf"(?P<leads>\b(?:in|by|from|see|of|with|as|at) )?(?P<article>\bthe )?(?:(?:\b(?P<noun>{_NOUN})s?|§+) ?)?"
    rf"(?P<marks>{_MARK}(?:,? ?(?:and|or|to|–|-)? ?(?:{_NOUN}s? )?{_MARK})*)",
    re.IGNORECASE,
)
_ASIDE = re.compile(rf" ?\((?:see|cf\.|e\.g\.|using|in|from|via|,| |also|{_NOUN}s?|and|{_MARK})+\)", re.IGNORECASE)


def targets_of(parsed: ParsedPaper) -> dict[int, str]:
    """By the start of each reference in the flat text the id of what it points to, "" if unknown."""
    known = {(each.file, each.start): each.target or "" for each in reversed(parsed.doc.references)}
    starts = [token.start for block in parsed.reading.blocks for token in block.tokens if token.kind == "ref"]
    return {start: known.get(parsed.flat.origin(start), "") for start in starts}


def kinds_of(targets: Mapping[int, str], parsed: ParsedPaper) -> dict[int, str]:
    """Of targets their kinds: "equation", or "section 3.1" where the number is known."""
    numbers = {section.id: section.number for section in parsed.doc.sections}
    return {
        start: f"{_KINDS.get(target.split('/', 1)[0], '')} {numbers.get(target, '')}".strip()
        for start, target in targets.items()
    }


def pointing_at(
    targets: Mapping[int, str], parsed: ParsedPaper, plan: Outline, sentences: Sequence[Sentence]
) -> dict[int, list[int]]:
    """By the node of each algorithm the running sentences that refer to it, the nearest first."""
    of_place: dict[str, list[int]] = defaultdict(list)
    for index, sentence in enumerate(sentences):
        if sentence.zone in ("text", "item") and sentence.role in ("method", "background", "experiment"):
            for token in sentence.tokens:
                if token.kind == "ref":
                    of_place[targets.get(token.start, "")].append(index)
    found: dict[int, list[int]] = {}
    for number, node in enumerate(plan.nodes):
        if node.kind == "algorithm":
            file, start = parsed.flat.origin(node.start)
            around = (each.id for each in parsed.doc.algorithms if each.file == file and each.start <= start < each.end)
            near = of_place.get(next(around, "-"), [])
            found[number] = sorted(near, key=lambda index: (abs(sentences[index].start - node.start), index))
    return found


def worded(tokens: Sequence[Token], kinds: Mapping[int, str], *, display: int) -> str:
    """`text_of` with references in words; `kinds` tells by the start of each what it points to."""
    marked = [
        replace(token, text=f"\u27e6{kinds.get(token.start, '')}\u27e7", kind="word") if token.kind == "ref" else token
        for token in tokens
    ]
    text = text_of(marked, display=display)
    if "\u27e6" not in text:
        return text
    text = _HOLE.sub(_filled, _ASIDE.sub("", text))
    return " ".join(text.split()).replace(" ,", ",").replace(" .", ".").replace(" :", ":")


def _filled(found: re.Match[str]) -> str:
    """The number of a section; else "the equation", by the noun that stands there or by what is pointed to."""
    kinds = re.findall(_MARK, found["marks"])
    said = (found["noun"] or "").lower().rstrip(".")
    noun = next((full for short, full in _NOUNS.items() if said.startswith(short)), said) or kinds[0].split(" ")[0]
    numbers = [kind.split(" ")[1] for kind in kinds if " " in kind]
    leads = found["leads"] or ""
    if noun and not leads and found["noun"] and found["noun"].isalpha() and found["noun"].islower():
        return f"{found['article'] or ''}{found['noun']}{''.join(f' {number}' for number in numbers[:1])}"
    if len(numbers) == len(kinds):
        return f"{leads}{noun.capitalize()}{'s' * (len(numbers) > 1)} {' and '.join(numbers)}"
    if not noun:
        return f"{leads}{found['article'] or ''}".strip()
    plural = noun if len(kinds) == 1 else noun.removesuffix("y") + "ies" if noun.endswith("y") else f"{noun}s"
    return f"{leads}the {plural}"
