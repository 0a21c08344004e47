"""What a paper found, and what it uses or gives away: findings and resources, few and plainly said."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ingest.extract.mentions import Mentions
from ingest.extract.outline import Outline
from ingest.extract.sentences import Sentence
from ingest.extract.words import RESOURCE_HEADS, f1, stems, vocabulary
from ingest.latex.reading import text_of
from kg.models.paper import Theorem

__all__ = ["Fact", "claims_in_titles", "findings", "resources", "theorems"]

MOST_FINDINGS = 4
MOST_RESOURCES = 3

_THAT = re.compile(
    r"\b(?:we (?:also |further |then |have )*(?:find|found|show|showed|shown|observe|observed|demonstrate"
    r"|demonstrated|prove|proved|"
    r"establish|established|conclude|see|note|saw|confirm|confirmed)"
    r"|(?:results?|experiments?|evaluations?|analys[ei]s|study|studies|findings?|ablations?|simulations?|data"
    r"|comparisons?|table|figure|figures|it)"
    r"(?: \w+){0,3} (?:show|shows|showed|suggest|suggests|indicate|indicates|demonstrate|demonstrates|reveal"
    r"|reveals|confirm|confirms|"
    r"is clear|can be seen|can be shown|turns out)) that (?P<claim>.+)",
    re.IGNORECASE,
)
_COMPARES = re.compile(
    r"\b(?:outperform\w*|(?:significantly|substantially|considerably|much|far|consistently"
    r"|slightly) (?:\w+ )?(?:better|worse|faster|slower|"
    r"higher|lower|smaller|larger|fewer|more|less|shorter|longer|improv\w+|reduc\w+)|improves?|improved"
    r"|reduces?|surpass\w*|achieves?|"
    r"exceeds?|(?:faster|better|higher|lower|shorter|fewer|smaller|larger) than|exhibits?|speed-?ups?"
    r"|increases?|decreases?)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?\s*(?:%|×|x\b|times|percent|fold|ms|seconds|points?)|\bfactor of\b", re.IGNORECASE)
_CUT = re.compile(r"(?:, (?:which|where|while|although|whereas|with|but|and|so|thus|because|since|even"
                  r"|especially|as|making|leading|indicating|suggesting)\b"
                  r"|; |: | – | — | \(|, [a-z]+ing\b| because | since | whereas "
                  r"| although ).*", re.IGNORECASE)  # fmt: skip
_OPENERS = re.compile(
    r"^(?:however|moreover|furthermore|in addition|additionally|finally|for example|for instance|overall"
    r"|in particular|"
    r"as expected|interestingly|surprisingly|importantly|in contrast|in general|on average|again|here|thus|hence|"
    r"therefore|similarly|specifically|notably|as a result|also|and|but|while|first|second|third|indeed|in fact"
    r"|in practice),?\s+",
    re.IGNORECASE,
)
_ANAPHORA = re.compile(
    r"^(?:this|these|those|it|they|such|there|he|she|both|its|their|one|all|none|some)\b", re.IGNORECASE
)
_UNSURE = re.compile(
    r"\b(?:would|could|might|may|should|will|shall|necessary|future|you|your|let|assume|suppose|if)\b", re.IGNORECASE
)
_SUBORDINATE = re.compile(
    r"^(?:although|though|as|in|on|at|for|by|while|whereas|when|because|since|compared|unlike|—|–|despite|given"
    r"|due|to)\b",
    re.IGNORECASE,
)
_THANKS = re.compile(r"\bgrants?\b|\bsupported by\b|\bfund(?:ed|ing)\b|\bthank", re.IGNORECASE)
_ANY = vocabulary("facts", "any")
_PLAIN_CLAIM = re.compile(r"(?P<claim>[A-Z][A-Za-z' -]{16,100})[.:]")
_LANGUAGES = vocabulary("facts", "languages")
_RELEASE = re.compile(
    r"\b(?:publicly|freely|openly) available|available (?:at|on|from|under|online|in|as)|open[- ]source"
    r"|we (?:release|provide|publish|"
    r"construct|collect|introduce|present|create)|is available\b|released under",
    re.IGNORECASE,
)
_SOFTWARE = vocabulary("facts", "software")


@dataclass(frozen=True, slots=True)
class Fact:
    """A finding or a resource: its name, the sentences that say it (best first), how sure, and by which signal.

    `piece` is the theorem that states it, if one does.
    """

    name: str
    sentences: tuple[int, ...]
    score: float
    signal: str
    piece: Theorem | None = None


def findings(sentences: Sequence[Sentence], known: Sequence[frozenset[str]]) -> list[Fact]:
    """At most `MOST_FINDINGS` claims of abstract, results and conclusion; `known` are keys of its techniques."""
    found: list[Fact] = []
    for index, sentence in enumerate(sentences):
        if sentence.role not in ("abstract", "experiment", "conclusion", "intro") or sentence.zone in (
            "caption",
            "footnote",
        ):
            continue
        text = text_of(sentence.tokens, display=0)
        if text.endswith("?") or "…" in text:
            continue
        name, points = _claim(text)
        if not name:
            continue
        points += {"abstract": 0.12, "conclusion": 0.08, "experiment": 0.06}.get(sentence.role, -0.10)
        points += 0.14 if _NUMBER.search(text) else 0.0
        key = frozenset(stems(name))
        points += 0.12 if any(other <= key for other in known) else 0.0
        points -= 0.15 if any(token.kind == "cite" for token in sentence.tokens) else 0.0
        found.append(Fact(name, (index,), round(min(0.95, points), 4), "finding-cue"))
    return _best(found, MOST_FINDINGS, 0.55)


def _claim(text: str) -> tuple[str, float]:
    """The claim a sentence makes, cut short, and how much it looks like a finding; ("", 0) if it makes none."""
    match = _THAT.search(text)
    claim = match["claim"] if match else text
    compares = _COMPARES.search(claim)
    if match is None and compares is None:
        return "", 0.0
    claim = _OPENERS.sub("", claim.strip(" .,;:–—-"))
    short = _CUT.sub("", claim).strip(' .,;:"')
    words = short.split()
    if not 4 <= len(words) <= 22 or _ANAPHORA.match(short) or _UNSURE.search(short) or _SUBORDINATE.match(short):
        return "", 0.0
    if re.match(r"(?:we|our|i) ", short, re.IGNORECASE) or "=" in short:
        return "", 0.0
    points = 0.28 + (0.18 if match else 0.0) + (0.16 if compares else 0.0) - (0.10 if len(words) > 16 else 0.0)
    return short, points


def theorems(pieces: Sequence[Theorem]) -> list[Fact]:
    """At most two results that the paper proves under a name, or states in plain words."""
    found = []
    for piece in pieces:
        if not re.match(r"(?:theorem|thm|prop|lemma|corollary|claim)", piece.env, re.IGNORECASE):
            continue
        plain = _PLAIN_CLAIM.match(piece.text)
        name = piece.title.strip() or (plain["claim"] if plain else "")
        if 2 <= len(name.split()) <= 14 and not re.fullmatch(r"\W*(?:theorem|lemma|\d|\W)*", name, re.IGNORECASE):
            found.append(Fact(name, (), 0.66 if piece.title.strip() else 0.58, "theorem", piece))
    return _best(found, 2, 0.5)


def claims_in_titles(plan: Outline, sentences: Sequence[Sentence]) -> list[Fact]:
    """Run-in heads that are statements: "Memory is editable mid-session"."""
    from ingest.extract.tagging import tag

    found = []
    for index, node in enumerate(plan.nodes):
        if node.kind not in ("paragraph", "run_in") or node.role in ("back", "related", "intro", "background"):
            continue
        tokens = [token for token in node.title if token.kind not in ("ref", "cite")]
        tags = tag(tokens)
        verb = next(
            (i for i, guess in enumerate(tags) if guess in ("VBZ", "MD") or tokens[i].text.lower() in ("are", "were")),
            0,
        )
        text = re.sub(r"^\W*(?:\(?[\divx]{1,3}\))?\s*", "", re.sub(r"\s*\([^()]*\)", "", text_of(tokens))).strip(
            " .:;,"
        )
        plain = text.lower()
        if (
            not verb
            or not 3 <= len(text.split()) <= 14
            or plain.startswith(("what ", "how ", "why ", "which ", "where ", "when "))
        ):
            continue
        inside = tuple(i for i, sentence in enumerate(sentences) if sentence.node == index)[:3]
        found.append(Fact(text, inside, 0.62 - (0.05 if node.appendix else 0.0), "claim-title"))
    return found


def _best(facts: Iterable[Fact], most: int, least: float) -> list[Fact]:
    chosen: list[Fact] = []
    for fact in sorted(facts, key=lambda fact: (-fact.score, fact.sentences, fact.name)):
        key = frozenset(stems(fact.name))
        if fact.score >= least and all(f1(key, frozenset(stems(other.name))) < 0.5 for other in chosen):
            chosen.append(fact)
        if len(chosen) == most:
            break
    return chosen


def resources(sentences: Sequence[Sentence], mentions: Mentions) -> list[Fact]:
    """At most `MOST_RESOURCES` named data sets, benchmarks and software that the paper uses or releases."""
    places: dict[tuple[str, ...], list[tuple[int, str, bool]]] = {}
    for index, sentence in enumerate(sentences):
        if sentence.role in ("related", "back") or not sentence.phrases:
            continue
        text = " ".join(token.text for token in sentence.tokens)
        if _THANKS.search(text):
            continue
        released = bool(_RELEASE.search(text))
        for first, last in sentence.phrases:
            head = sentence.tokens[last - 1].text.lower()
            if last - first < 2 or head not in RESOURCE_HEADS | _SOFTWARE:
                continue
            begin = next((i for i in range(first, last - 1) if _proper(sentence.tokens[i].text, i == 0)), -1)
            if first and sentence.tokens[first - 1].text.lower() in _ANY:
                continue
            if begin < 0 or (sentence.tokens[begin].text.lower() in _LANGUAGES and not released):
                continue
            name = text_of(sentence.tokens[begin:last])
            if len(name.split()) <= 5:
                places.setdefault(stems(name), []).append((index, name, released))
    found = []
    for key in sorted(places):
        group = places[key]
        count = max(len(group), len(mentions.of([" ".join(group[0][1].split()[:-1])])))
        points = 0.37 + 0.10 * math.log1p(count) + (0.12 if any(released for *_, released in group) else 0.0)
        order = sorted(group, key=lambda place: (not place[2], place[0]))
        found.append(
            Fact(
                group[0][1],
                tuple(dict.fromkeys(index for index, *_ in order))[:4],
                round(min(0.9, points), 4),
                "resource",
            )
        )
    return _best(found, MOST_RESOURCES, 0.46)


def _proper(word: str, first: bool) -> bool:
    """Whether a word looks like a name: capitals inside, digits with letters, a capital not at a sentence's start."""
    if any(c.isupper() for c in word[1:]) or (any(c.isdigit() for c in word) and any(c.isalpha() for c in word)):
        return True
    return word[:1].isupper() and not first and len(word) > 1
