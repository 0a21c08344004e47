"""What the paper says a technique is, in its own sentences, and the places that say it."""

import re
from collections.abc import Collection, Mapping, Sequence

from ingest.extract.merge import Item
from ingest.extract.outline import Outline
from ingest.extract.sentences import Sentence
from ingest.extract.telling import passage, points_elsewhere, told
from ingest.extract.words import STEP_VERBS, f1, stems, vocabulary
from ingest.latex.reading import text_of
from kg.words import stem

__all__ = ["definition", "inside_of", "places", "points_at"]

MOST_PLACES = 12
_DEFINES = re.compile(
    r"\b(?:is|are) (?:a|an|the|defined|computed|given|obtained|called|performed|used to|based on|trained|calculated)\b"
    r"|\brefers? to\b|\bconsists? of\b|\bworks? by\b"
    r"|\bwe (?:propose|introduce|define|call|present|use|develop|describe)\b"
    r"|\bknown as\b|\bcalled\b|\bdenotes?\b",
    re.IGNORECASE,
)
_PLAN = re.compile(
    r"\b(?:idea|approach|strategy|intuition|trick|principle)\b[^.]{0,40}? (?:is|was) (?:to|that)\b", re.IGNORECASE
)
_POINTS = re.compile(
    r"\bwe (?:now |then |also |next |first |will |briefly |further )*(?:explain|discuss|show|present|outline|study"
    r"|compare|investigate|evaluate|demonstrate|examine|report|describe|review|summari[sz]e|illustrate)"
    r" (?:how|in|that|the|our|an?|some)\b"
    r"|\b(?:is|are) (?:shown|given|described|illustrated|depicted|presented|summari[sz]ed|listed|detailed|discussed"
    r"|explained)(?: \w+){0,2} (?:in|as|by) (?:\[ref\]|figure|fig|table|algorithm|alg|section|appendix|equation|eq)"
    r"|^(?:figure|fig|table|algorithm|alg|section|appendix|listing|eq|equation)\b.{0,14}\[ref\]"
    r"|\[ref\] (?:shows?|illustrates?|depicts?)"
    r"|\bwe (?:\w+ )?(?:introduce|define|describe|present|derive)\b[^.;]{0,60}\bin (?:section|sec|appendix|chapter)\b"
    r"|\b(?:is|are) (?:described|explained|discussed|detailed) (?:below|next|later|elsewhere)\b|\bnamely :?$",
    re.IGNORECASE,
)
_OURS = re.compile(r"\bwe (?:propose|introduce|present|develop|describe|derive|design)\b|\bis an?\b", re.IGNORECASE)
_TIE = re.compile(r" (?:of|for|in|on|with|from|to|by|as|using|via) ")
_BENEFIT = re.compile(r"\b(?:allow|enable|help|make|improve|simplifie|simplify|facilitate)(?:s|d)?\b", re.IGNORECASE)
_OBJECT = re.compile(r"\bwe (?:\w+ )?(?:define|call|denote|introduce|propose|refer)\b", re.IGNORECASE)
_FINDS = re.compile(
    r"\bwe (?:conclude|believe|hope|found|find|observe|note|see|conjecture|expect|show) ", re.IGNORECASE
)
_HISTORY = re.compile(
    r"\b(?:was|were|has been|have been) (?:\w+ly |first |also |often )*(?:introduced|proposed|described|developed"
    r"|studied|populari[sz]ed|recogni[sz]ed|suggested|used|applied|derived|investigated|shown|known|measured)\b",
    re.IGNORECASE,
)
_PURPOSE = re.compile(r"^(?:in order )?to\b[^,]*,", re.IGNORECASE)
_SAID = {"called": 1.6, "definition": 1.6, "proposed": 0.8, "step": 2.0, "acronym": 0.6}
_FIRST_INSIDE = {0: 0.6, 1: 0.4}
_MOST_INSIDE = 40
_ANNOUNCED = 0.6
_DEEPER = 0.8
"""What it costs a sentence to stand in a part of the stretch that has a heading of its own."""
_LITTLE = 3
_POINTED = 3.2
_SHOWN = 1.2
"""What the first formula of an item's own stretch of text speaks for its sentence."""
_EQUALS = re.compile(r"[=<>≤≥]|\\(?:leq?|geq?|sim|propto|equiv|approx)\b")
_GRAMMAR = frozenset(("the", "a", "an", "of", "to", "in", "is", "are", "for", "and", "by", "with", "as", "on", "we"))
_FINITE = frozenset(("VB", "VBP", "VBZ", "VBD", "MD"))
_DOES = frozenset(stem(verb) for verb in STEP_VERBS)
_MAYBE = vocabulary("asserting", "maybe")
_SUPPOSING = frozenset(("suppose", "assume", "imagine", "if"))
_TAKES_UP = frozenset(("this", "these", "such"))
_ANAPHORS = frozenset(("this", "these", "it", "they", "such", "those", "that"))
_DANGLING = vocabulary("describing", "dangling")
_MOTIVE = vocabulary("describing", "motive")
_OTHERS = vocabulary("describing", "others")
_TALK = re.compile(
    r"\b(?:this|next|following|previous) (?:section|chapter|paper|appendix)\b|\bin this work\b", re.IGNORECASE
)


def _worth(sentence: Sentence, wanted: frozenset[str], head: str, rank: int) -> float:
    text = " ".join(token.text for token in sentence.tokens)
    words = [token.text.lower() for token in sentence.tokens if token.kind == "word"]
    if (
        f1(frozenset(stems(text)), wanted) > 0.75
        or len(words) < 5
        or len(words) > 70
        or words[-1:] == ["?"]
        or text.endswith("?")
        or (len(words) > 12 and not _GRAMMAR & set(words))
    ):
        return -5.0
    have = frozenset(stems(" ".join(words)))
    opening = frozenset(stems(" ".join(words[: len(wanted) + 3])))
    points = 1.6 * len(wanted & have) / max(1, len(wanted))
    points += 1.4 if wanted <= opening else 0.0
    motive = bool(_MOTIVE & set(words))
    defines = bool(_DEFINES.search(text)) and not motive
    points += 1.0 if defines else 0.0
    points += 0.8 if defines and head in stems(" ".join(words[:5])) and not wanted <= opening else 0.0
    points += 0.4 if any(token.kind == "display" for token in sentence.tokens) else 0.0
    points += 0.6 if _does(sentence) else 0.0
    points -= 0.9 if motive else 0.0
    points -= 1.2 if _HISTORY.search(text) else 0.0
    points -= 0.8 if words[0] in _OTHERS or (words[0] in ("in", "for", "as") and words[1] in _OTHERS) else 0.0
    points += {"method": 0.5, "background": 0.4, "abstract": 0.3, "intro": 0.0, "experiment": 0.0}.get(
        sentence.role, -0.6
    )
    points -= 0.8 if not defines and _BENEFIT.search(text) else 0.0
    points -= 2.0 if words[0] in _ANAPHORS else 1.2 if words[0] in _DANGLING else 0.0
    points -= 0.6 if _TAKES_UP & set(words[1:4]) else 0.0
    points -= 2.5 if _is_pointer(sentence) else 0.0
    says = _FINITE & set(sentence.tags) or any(_EQUALS.search(token.text) for token in sentence.tokens)
    points -= 0.0 if says else 1.5
    points -= 0.8 if words[0] in _SUPPOSING else 0.0
    points -= 1.0 if sentence.tokens[0].kind == "cite" else 0.0
    points -= 1.0 if sentence.zone == "item" and sentence.tokens[0].text[:1].islower() else 0.0
    points -= 1.0 if _FINDS.search(text) else 0.0
    points -= 0.8 if _TALK.search(text) else 0.0
    points -= 0.4 if sum(token.kind in ("ref", "cite") for token in sentence.tokens) > 1 else 0.0
    points -= {"caption": 2.0, "footnote": 0.6}.get(sentence.zone, 0.0)
    purpose = _PURPOSE.match(text)
    points -= 1.2 if purpose and wanted <= frozenset(stems(purpose[0])) else 0.0
    points -= 0.3 if len(words) > 45 else 0.0
    return points - 0.06 * rank


def _candidates(item: Item, inside: Sequence[int]) -> list[int]:
    naming = [c.sentence for c in item.candidates if c.sentence >= 0]
    return list(dict.fromkeys([*inside[:_MOST_INSIDE], *naming, *item.mentions[:40]]))


def places(
    item: Item, sentences: Sequence[Sentence], inside: Sequence[int], plan: Outline, pointing: Sequence[int] = ()
) -> dict[int, float]:
    """The sentences that describe an item, by index, with how well they do it: best first, at most `MOST_PLACES`.

    `inside` are those of its own stretch of text, `pointing` those that refer to its algorithm.
    """
    wanted = frozenset(stems(item.name)) or item.key
    head = ([*stems(_TIE.split(item.name)[0])] or [""])[-1]
    first: dict[int, float] = {}
    pointing = () if "own" in item.sources else pointing
    inside = [*dict.fromkeys((*pointing, *inside))]
    shown = next((at for at in inside if any(token.kind == "display" for token in sentences[at].tokens)), -1)
    for rank, index in enumerate(_candidates(item, inside)):
        bonus = max((_SAID.get(c.source, 0.3) for c in item.candidates if c.sentence == index), default=0.0)
        if index in inside:
            bonus -= _DEEPER if _is_of_part(sentences[index], item, plan) else 0.0
            bonus += _ANNOUNCED if index and sentences[index - 1].tokens[-1].text == ":" else 0.0
            bonus += _FIRST_INSIDE.get(inside.index(index), 0.0) + (1.4 if _states_plan(sentences[index]) else 0.0)
            bonus += _SHOWN if index == shown else 0.0
        elif (len(inside) > _LITTLE and not _OBJECT.search(_plain(sentences[index]))) or (
            inside and not any(c.sentence == index for c in item.candidates)
        ):
            bonus -= 2.2 if len(inside) > _LITTLE else 1.5
        if "own" in item.sources:
            bonus += (
                1.5
                if sentences[index].role in ("abstract", "intro") and _OURS.search(_plain(sentences[index]))
                else 0.0
            )
        bonus += 0.0 if index not in pointing else _POINTED if index == pointing[0] else _POINTED / 3
        first[index] = _worth(sentences[index], wanted, head, min(rank, 20)) + bonus
    order = sorted(first, key=lambda index: (-first[index], index))
    kept = [index for index in order if first[index] > -2][:MOST_PLACES]
    return {index: first[index] for index in kept or [c.sentence for c in item.candidates if c.sentence >= 0][:1]}


def _does(sentence: Sentence) -> bool:
    """Whether somebody or something does what methods do: "we compute", "is sorted", "by sampling"."""
    words = [token.text.lower() for token in sentence.tokens]
    return any(
        tag.startswith("VB") and stem(word) in _DOES and not _MAYBE & set(words[max(0, at - 3) : at])
        for at, (word, tag) in enumerate(zip(words, sentence.tags, strict=True))
    )


def _is_of_part(sentence: Sentence, item: Item, plan: Outline) -> bool:
    """Whether a part with a heading of its own holds a sentence of the item's stretch."""
    return sentence.node > own_node(item, plan) and plan.nodes[sentence.node].kind in ("heading", "paragraph", "run_in")


def _states_plan(sentence: Sentence) -> bool:
    """Whether a sentence says what the idea is, or defines."""
    return bool(_PLAN.search(_plain(sentence)))


def _is_pointer(sentence: Sentence) -> bool:
    return points_elsewhere(sentence) or bool(_POINTS.search(_plain(sentence)))


def _plain(sentence: Sentence) -> str:
    return " ".join(token.text for token in sentence.tokens)


def definition(
    item: Item,
    sentences: Sequence[Sentence],
    best: Sequence[int],
    taken: Collection[int],
    kinds: Mapping[int, str],
) -> str:
    """What sentences in a row tell of an item, at most about `telling.LONGEST` characters; "" if none speaks of it.

    `taken` are the sentences that define others, `kinds` what references point to (`referring.kinds_of`).
    """
    line = next((c.text for c in item.candidates if c.text), "")
    if line and (not best or item.told):
        return line
    if not best:
        return ""
    home = any(c.sentence < 0 and c.node == sentences[best[0]].node for c in item.candidates)
    shown = "algorithm" in item.sources and points_at("algorithm", sentences[best[0]], kinds)
    names = [frozenset(stems(name)) for name in (item.name, *item.aliases)]
    found = passage(best[0], sentences, taken, names, home=home, shown=shown)
    return "" if len(found) == 1 and not shown and _is_pointer(sentences[found[0]]) else told(found, sentences, kinds)


def points_at(kind: str, sentence: Sentence, kinds: Mapping[int, str]) -> bool:
    """Whether a reference in a sentence points to a piece of this kind; `kinds` as for `definition`."""
    return any(kinds.get(token.start) == kind for token in sentence.tokens)


def own_node(item: Item, plan: Outline) -> int:
    """The stretch that tells of an item: a section rather than a list's item that only names it; -1 if it has none."""
    sections = [
        c.node
        for c in item.candidates
        if c.source in ("heading", "paragraph") and c.role in ("method", "background") and not c.appendix
    ]
    return min(sections, default=item.node) if plan.nodes[item.node].kind == "item" else item.node


def inside_of(item: Item, plan: Outline, sentences: Sequence[Sentence]) -> list[int]:
    """Sentences that stand in the item's own stretch of text, in order; of an algorithm, those around it."""
    if item.node < 0:
        return []
    node = plan.nodes[own_node(item, plan)]
    if node.kind == "algorithm":
        around = plan.nodes[node.parent] if node.parent >= 0 else node
        near = [i for i, s in enumerate(sentences) if around.start <= s.start < around.end and s.zone == "text"]
        key = frozenset(stems(item.name))
        shared = {i: len(key & frozenset(stems(text_of(sentences[i].tokens)))) for i in near}
        near = [i for i in near if 2 * shared[i] >= len(key)] or [i for i in near if shared[i]]
        return sorted(near, key=lambda i: (-shared[i], abs(sentences[i].start - node.start)))[:4]
    return [i for i, s in enumerate(sentences) if node.body <= s.start < node.end and s.zone in ("text", "item")]
