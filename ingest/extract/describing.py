"""What the paper says a technique is, in its own sentences, and the places that say it."""

import re
from collections.abc import Sequence

from ingest.extract.merge import Item
from ingest.extract.outline import Outline
from ingest.extract.sentences import Sentence
from ingest.extract.words import f1, stems, vocabulary
from ingest.latex.reading import text_of

__all__ = ["definition", "inside_of", "places"]

_LONGEST = 420
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
_FINDS = re.compile(
    r"\bwe (?:conclude|believe|hope|found|find|observe|note|see|conjecture|expect|show) ", re.IGNORECASE
)
_REFERS = re.compile(r"\b(?:as|in|by) (?:algorithm|alg \.|procedure|listing) \[ref\]", re.IGNORECASE)
_PURPOSE = re.compile(r"^(?:in order )?to\b[^,]*,", re.IGNORECASE)
_SAID = {"called": 1.6, "definition": 1.6, "proposed": 0.8, "step": 2.0, "acronym": 0.6}
_FIRST_INSIDE = {0: 0.8, 1: 0.5}
_FINITE = frozenset(("VB", "VBP", "VBZ", "VBD", "MD"))
_SUPPOSING = frozenset(("suppose", "assume", "imagine", "if"))
_ANAPHORS = frozenset(("this", "these", "it", "they", "such", "those", "that"))
_DANGLING = vocabulary("describing", "dangling")
_TALK = re.compile(
    r"\b(?:this|next|following|previous) (?:section|chapter|paper|appendix)\b|\bin this work\b", re.IGNORECASE
)


def _worth(sentence: Sentence, wanted: frozenset[str], rank: int) -> float:
    text = " ".join(token.text for token in sentence.tokens)
    words = [token.text.lower() for token in sentence.tokens if token.kind == "word"]
    if (
        f1(frozenset(stems(text)), wanted) > 0.75
        or len(words) < 5
        or len(words) > 70
        or words[-1:] == ["?"]
        or text.endswith("?")
    ):
        return -5.0
    have = frozenset(stems(" ".join(words)))
    opening = frozenset(stems(" ".join(words[: len(wanted) + 3])))
    points = 1.6 * len(wanted & have) / max(1, len(wanted))
    points += 1.4 if wanted <= opening else 0.0
    points += 1.0 if _DEFINES.search(text) else 0.0
    points += 0.4 if any(token.kind == "display" for token in sentence.tokens) else 0.0
    points += {"method": 0.5, "background": 0.4, "abstract": 0.0, "intro": 0.0, "experiment": 0.0}.get(
        sentence.role, -0.6
    )
    points -= 2.5 if words[0] in _ANAPHORS else 1.2 if words[0] in _DANGLING else 0.0
    points -= 1.5 if _POINTS.search(text) else 0.0
    points -= 0.0 if _FINITE & set(sentence.tags) else 1.5
    points -= 0.8 if words[0] in _SUPPOSING else 0.0
    points -= 1.0 if sentence.zone == "item" and sentence.tokens[0].text[:1].islower() else 0.0
    points -= 1.0 if _FINDS.search(text) else 0.0
    points -= 0.8 if _TALK.search(text) else 0.0
    points -= 0.4 if sum(token.kind in ("ref", "cite") for token in sentence.tokens) > 1 else 0.0
    points -= {"caption": 2.0, "footnote": 0.6}.get(sentence.zone, 0.0)
    purpose = _PURPOSE.match(text)
    points -= 1.2 if purpose and wanted <= frozenset(stems(purpose[0])) else 0.0
    points -= 0.3 if len(words) > 45 else 0.0
    return points - 0.08 * rank


def _candidates(item: Item, inside: Sequence[int]) -> list[int]:
    naming = [c.sentence for c in item.candidates if c.sentence >= 0]
    return list(dict.fromkeys([*inside[:8], *naming, *item.mentions[:40]]))


def places(item: Item, sentences: Sequence[Sentence], inside: Sequence[int]) -> dict[int, float]:
    """The sentences that describe an item, by index, with how well they do it: best first, at most `MOST_PLACES`."""
    wanted = frozenset(stems(item.name)) or item.key
    first: dict[int, float] = {}
    for rank, index in enumerate(_candidates(item, inside)):
        bonus = max((_SAID.get(c.source, 0.3) for c in item.candidates if c.sentence == index), default=0.0)
        if index in inside:
            bonus += _FIRST_INSIDE.get(inside.index(index), 0.0) + (2.0 if _states_plan(sentences[index]) else 0.0)
        elif inside and not any(c.sentence == index for c in item.candidates):
            bonus -= 1.5
        if "own" in item.sources:
            bonus += (
                1.5
                if sentences[index].role in ("abstract", "intro") and _OURS.search(_plain(sentences[index]))
                else 0.0
            )
        if "algorithm" in item.sources and _REFERS.search(_plain(sentences[index])):
            bonus += 2.5
        first[index] = _worth(sentences[index], wanted, min(rank, 20)) + bonus
    order = sorted(first, key=lambda index: (-first[index], index))
    kept = [index for index in order if first[index] > -2][:MOST_PLACES]
    return {index: first[index] for index in kept or [c.sentence for c in item.candidates if c.sentence >= 0][:1]}


def _states_plan(sentence: Sentence) -> bool:
    """Whether a sentence says what the idea is, or defines."""
    return bool(_PLAN.search(_plain(sentence)))


def _plain(sentence: Sentence) -> str:
    return " ".join(token.text for token in sentence.tokens)


def definition(item: Item, sentences: Sequence[Sentence], best: Sequence[int]) -> str:
    """One or two sentences of the paper, at most about 420 characters; "" if none speaks of the item."""
    line = next((c.text for c in item.candidates if c.text), "")
    if line and (not best or item.told):
        return line
    if not best:
        return ""
    first = best[0]
    text = _clean(text_of(sentences[first].tokens, display=160))
    following = first + 1
    near = following < len(sentences) and sentences[following].block - sentences[first].block <= 1
    wants_more = text.endswith(":") or any(token.kind == "display" for token in sentences[first].tokens[-2:])
    second = None
    if (near and wants_more) or (len(text) < 220 and len(best) > 1 and best[1] == following):
        second = following
    if second is not None:
        more = _clean(text_of(sentences[second].tokens, display=160))
        if len(text) + len(more) < _LONGEST and f1(frozenset(stems(text)), frozenset(stems(more))) < 0.8:
            text = f"{text} {more}"
    return text if len(text) <= _LONGEST + 160 else text[:_LONGEST].rsplit(" ", 1)[0] + " …"


def _clean(text: str) -> str:
    return re.sub(r"^[\s,;:.)\]–—-]+", "", text).strip()


def inside_of(item: Item, plan: Outline, sentences: Sequence[Sentence]) -> list[int]:
    """Sentences that stand in the item's own stretch of text, in order; of an algorithm, those around it."""
    if item.node < 0:
        return []
    node = plan.nodes[item.node]
    if node.kind == "algorithm":
        around = plan.nodes[node.parent] if node.parent >= 0 else node
        near = [i for i, s in enumerate(sentences) if around.start <= s.start < around.end and s.zone == "text"]
        key = frozenset(stems(item.name))
        shared = {i: len(key & frozenset(stems(text_of(sentences[i].tokens)))) for i in near}
        near = [i for i in near if 2 * shared[i] >= len(key)] or [i for i in near if shared[i]]
        return sorted(near, key=lambda i: (-shared[i], abs(sentences[i].start - node.start)))[:4]
    return [i for i, s in enumerate(sentences) if node.body <= s.start < node.end and s.zone in ("text", "item")]
