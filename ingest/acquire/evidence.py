"""Which repository is the paper's own: every link is weighed by what the paper says around it.

A paper links libraries it uses, data it takes and code it compares with, besides its own. Its own is told by words
("our code is available at"), by place (abstract, arXiv's comment, front page), by its name (in the title), by its
owner (an author). Weights are by hand and few, so that they carry over; below the threshold the answer is None.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

from ingest.acquire.links import Link, find_links
from ingest.acquire.models import RepositoryHint, Where
from kg.models.ids import slug
from kg.models.record import PaperMeta

__all__ = ["find_repository"]

_THRESHOLD = 0.5

_THING = (
    r"(source\s+codes?|codes?|implementations?|software|scripts?|sources?|package|framework|models?|repository|project"
    r"|supplement\w*|appendix|toolbox|library|tool|simulator)"
)
_CLAIM = re.compile(
    rf"""\b(our|all|the|this|full|complete|accompanying|corresponding|associated|python|open[- ]source)\b[^.]{{0,40}}
        \b{_THING}\b[^.]{{0,100}}
        \b(available|released?|hosted|found|provided|accessible|open[- ]sourced|published|obtained|public)
    |\b{_THING}\b[^.]{{0,80}}\b(available|released|hosted|can\s+be\s+found|accessible|open[- ]sourced|on\s+github)
    |\bwe\s+(also\s+|have\s+|will\s+|publicly\s+|further\s+)*(release|open[- ]source|provide|publish|make|share|host)\b
    |\b(code|implementation|source\s+code|repository|github|project(\s+page)?|reproduc\w+[^.:]{{0,60}})\s*(and\s+\w+\s*)?:
    |\b(hosted|developed|development|maintained|contributions?)\b[^.]{{0,60}}\b(at|on|from|under|via)\b
    |\b(released|published|provided|distributed)\s+as\s+(an?\s+)?([\w-]+\s+){{0,3}}{_THING}\b
    |\bimplementations?\s+of\s+(our|the\s+proposed|this)\b
    |\breproduc\w+\b[^.]{{0,80}}\b(results|experiments|figures|paper)\b
    |\bopen[- ]source(d)?,?\s+(and|software|available|at|under|on|project)\b|\bis\s+open[- ]source\b""",
    re.VERBOSE | re.IGNORECASE,
)
_LEADS = re.compile(
    rf"""\b{_THING}\b[^.]{{0,60}}\b(at|on|from|see|under|via)\s*(github\s*)?[:(\[]?\s*$
    |\bour\s+([\w-]+\s+){{0,3}}{_THING}(,?\s+\S+)?,?\s*[(\[]?\s*$""",
    re.VERBOSE | re.IGNORECASE,
)
_OURS = re.compile(r"\b(our|we|this\s+(paper|work|article)|the\s+(proposed|present))\b", re.IGNORECASE)
_THIRD = re.compile(
    r"""\bwe\s+(\w+\s+)?(used?|employ(ed)?|adopt(ed)?|rely|build|built|follow(ed)?|adapt(ed)?|modif(y|ied)|took|ran|run|compare)\b
    |\b(based|buil(t|ds?|ding))\s+(up)?on\b|\boriginal\s+(\w+\s+)?(code|implementation)|\bofficial\b
    |\b(their|authors['’]s?|third[- ]party)\b|\bprovided\s+by\b|\bbaselines?\b|\bdownloaded\b|\busing\s+(the\s+)?\S+\s*$
    |\b(taken|borrowed|adapted|derived|(was|were)\s+obtained)\s+from\b|\bfork(ed)?\s+(of|from)\b
    |\bimplementation\s+(of|by|from)\s+\S*\s*\[cited\]|\b(run|ran|trained|implemented|written|performed)\s+(in|with|using|on)\b
    |\b(libraries|library|toolkit|toolbox|module|plugin)\s*[(\[]?\s*$""",
    re.VERBOSE | re.IGNORECASE,
)
_DATA = re.compile(r"\b(data\s?-?sets?|corpus|corpora|benchmarks?|raw\s+data)\b", re.IGNORECASE)
_CODE = re.compile(rf"\b{_THING}\b|\balgorithm\b|\bexperiments?\b", re.IGNORECASE)
_WRITING = re.compile(
    r"(^|[-_.])(papers?|manuscript|thesis|dissertation|latex|slides|website|docs?|tutorials?)([-_.]|$)"
)
_CONTEXT = ("blob", "raw", "wiki", "pull", "pulls", "discussions", "graphs", "releases")
_WORD = re.compile(r"[^\s{}]+")
_ADDRESS = re.compile(r"[a-z]\.(com|org|io|edu|science)/")


def find_repository(text_pieces: Sequence[str], meta: PaperMeta) -> RepositoryHint | None:
    """The repository that the paper calls its own, or None if it does not say so clearly enough.

    `text_pieces` are the paper's readable text in its order (`ingest.latex.texts`); `meta` gives
    title, authors, abstract and arXiv's comment, as far as known. A pure function: nothing is fetched.
    """
    sources: dict[Where, Sequence[str]] = {"comment": [meta.comment], "abstract": [meta.abstract], "text": text_pieces}
    groups: dict[tuple[str, str, str], list[tuple[Link, Where]]] = defaultdict(list)
    owners = set()
    for link, where in ((link, where) for where, pieces in sources.items() for link in find_links(pieces)):
        if link.name:
            groups[link.host, link.owner.lower(), link.name.lower()].append((link, where))
        elif _CLAIM.search(link.sentence):
            owners.add((link.host, link.owner.lower()))
    named = _counts(" ".join(text_pieces), {key[2] for key in groups})
    crowd = {key: len({link.piece for link, _ in found}) for key, found in groups.items()}
    hints = []
    for key, found in groups.items():
        shared = _about(key, meta, named) + (0.25 if key[:2] in owners else 0.0) + min(0.1, 0.05 * (crowd[key] - 1))
        scored = [(_said(link, where) + shared, link, where) for link, where in found]
        score, link, where = max(scored, key=lambda item: item[0])
        hints.append(_hint(link, where, score))
    best = max(hints, key=lambda hint: hint.score, default=None)
    return best if best and best.score >= _THRESHOLD else None


def _said(link: Link, where: Where) -> float:
    """What the sentence and its place say of one link."""
    score = 0.25
    claimed = _CLAIM.search(link.sentence) is not None or _LEADS.search(link.lead) is not None
    third = _THIRD.search(link.lead) is not None
    score += 0.3 * claimed + 0.1 * (claimed and _OURS.search(link.sentence) is not None)
    score -= 0.3 * third + 0.15 * (link.cites and not claimed)
    score += {"comment": 0.35, "abstract": 0.35, "text": 0.0}[where]
    if where == "text" and link.place < 0.05:
        score += 0.1
    if _DATA.search(link.lead) and not _CODE.search(link.sentence):
        score -= 0.25
    first = link.rest.partition("/")[0]
    return score - (0.4 if first in {"issues", "issue"} else 0.15 if first in _CONTEXT else 0.0)


def _counts(body: str, names: set[str]) -> dict[str, int]:
    """How often the text uses each name as a word, links left aside."""
    body = _WORD.sub(lambda word: " " if _ADDRESS.search(word[0]) else word[0], body.lower())
    return {name: len(re.findall(rf"(?<![a-z]){_loose(name)}s?(?![a-z])", body)) for name in names}


def _loose(name: str) -> str:
    """A pattern for a name as prose writes it: any or no sign where the name has one."""
    return "[^a-z0-9]{0,2}".join(map(re.escape, re.findall("[a-z0-9]+", name))) or "(?!)"


def _about(key: tuple[str, str, str], meta: PaperMeta, named: dict[str, int]) -> float:
    """What a repository's name and owner say, whatever the sentence: the paper's subject, one of its authors."""
    _, owner, name = key
    score = 0.3 * _in_title(name, meta.title)
    if len(name) >= 3 and not _WRITING.search(name):
        score += 0.15 * bool(_counts(meta.abstract, {name})[name])
        score += 0.2 * (named[name] >= 5) * named[name] / max(1, *named.values())
    surnames = {slug(author).split("-")[-1] for author in meta.authors}
    if any(len(surname) >= 4 and surname in owner.replace("-", "") for surname in surnames):
        score += 0.15
    return score - (0.3 if _WRITING.search(name) else 0.0)


def _in_title(name: str, title: str) -> float:
    """How much of a title a repository's name is: 1 for a name that stands in it, less for shared words or initials."""
    words = [word.lower() for word in re.findall(r"[A-Za-z0-9]+", title)]
    plain = re.sub(r"[^a-z0-9]", "", name.lower())
    if len(plain) < 3:
        return 0.0
    runs = {"".join(words[i : i + n]) for n in (1, 2, 3) for i in range(len(words) - n + 1)}
    if plain in runs or plain + "s" in runs or plain.rstrip("s") in runs:
        return 1.0
    parts = [part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name) if len(part) > 2]
    shared = [part for part in parts if any(word.startswith(part[:5]) for word in words)]
    if len(parts) >= 2 and len(shared) >= 2 and len(shared) / len(parts) >= 0.6:
        return 0.8
    initials = "".join(
        word[0] for word in words if word not in {"a", "an", "the", "of", "and", "for", "in", "with", "by"}
    )
    return 0.5 if len(plain) >= 4 and plain in initials else 0.0


def _hint(link: Link, where: Where, score: float) -> RepositoryHint:
    ref = f"{link.owner}/{link.name}"
    url = (
        f"https://{link.host}/r/{link.name}" if link.host == "anonymous.4open.science" else f"https://{link.host}/{ref}"
    )
    return RepositoryHint(
        ref=ref if link.host == "github.com" else url,
        url=url,
        host=link.host,
        score=round(max(0.0, min(1.0, score)), 3),
        evidence=link.sentence[:500],
        where=where,
    )
