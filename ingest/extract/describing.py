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
_DEFINES = re.compile(
    r"\b(?:is|are) (?:a|an|the|defined|computed|given|obtained|called|performed|used to|based on|trained|calculated)\b"
    r"|\brefers? to\b|\bconsists? of\b|\bworks? by\b"
    r"|\bwe (?:propose|introduce|define|call|present|use|develop|describe)\b"
    r"|\bknown as\b|\bcalled\b|\bdenotes?\b",
    re.IGNORECASE,
)
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
    points -= 0.8 if words[0] in _DANGLING else 0.0
    points -= 0.8 if _TALK.search(text) else 0.0
    points -= 0.4 if sum(token.kind in ("ref", "cite") for token in sentence.tokens) > 1 else 0.0
    points -= 0.6 if sentence.zone in ("caption", "footnote") else 0.0
    points -= 0.3 if len(words) > 45 else 0.0
    return points - 0.08 * rank


def _candidates(item: Item, inside: Sequence[int]) -> list[int]:
    naming = [c.sentence for c in item.candidates if c.sentence >= 0]
    return list(dict.fromkeys([*inside[:8], *naming, *item.mentions[:40]]))


def places(item: Item, sentences: Sequence[Sentence], inside: Sequence[int]) -> list[int]:
    """Indices of the sentences that describe an item, best first, at most six."""
    wanted = frozenset().union(*(frozenset(stems(name)) for name in [item.name, *item.aliases[:1]][:1])) or item.key
    first: dict[int, float] = {}
    for rank, index in enumerate(_candidates(item, inside)):
        bonus = 0.0
        for candidate in item.candidates:
            if candidate.sentence == index:
                bonus = max(
                    bonus,
                    {"called": 1.4, "definition": 1.6, "proposed": 0.8, "step": 2.0, "acronym": 0.6}.get(
                        candidate.source, 0.3
                    ),
                )
        if index in inside[:2]:
            bonus += 0.8 if index == inside[0] else 0.5
        first[index] = _worth(sentences[index], wanted, min(rank, 20)) + bonus
    order = sorted(first, key=lambda index: (-first[index], index))
    kept = [index for index in order if first[index] > -2][:6]
    return kept or [c.sentence for c in item.candidates if c.sentence >= 0][:1]


def definition(item: Item, sentences: Sequence[Sentence], best: Sequence[int]) -> str:
    """One or two sentences of the paper, at most about 420 characters; "" if none speaks of the item."""
    line = next((c.text for c in item.candidates if c.text), "")
    if not best or (line and item.steps_only):
        return line
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
        near = [i for i in near if key & frozenset(stems(text_of(sentences[i].tokens)))]
        return sorted(near, key=lambda i: abs(sentences[i].start - node.start))[:3]
    return [i for i, s in enumerate(sentences) if node.body <= s.start < node.end and s.zone in ("text", "item")]
