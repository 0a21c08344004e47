"""What of a technique's names decides about joining: keys that spellings share, and words that say nothing."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from kg.models.ids import bounded
from kg.words import WORD, is_acronym, name_key, name_words, stem

__all__ = ["GENERIC", "Form", "Named", "asked_keys", "form_of", "identity_keys", "is_generic", "kept_keys"]

GENERIC = frozenset(
    stem(word)
    for word in WORD.findall(
        "action algorithm analysis annotation application approach approximate approximation architecture assumption "
        "baseline basic block classifier combined component computation condition configuration construction "
        "cost custom data dataset decoder definition density design distribution efficient element embedding encoder "
        "environment error estimate estimation estimator evaluation example experiment extraction feature filter final "
        "framework function general generation generative generator implementation improved index inference initial "
        "initialization input instance item label layer learning length loss main mechanism method methodology metric "
        "model modification module network neural node notation number objective observation operation operator "
        "optimal optimization optimizer output overall parameter performance phase pipeline policy "
        "postprocessing practical prediction predictor preliminary preprocessing problem procedure process "
        "processing property protocol query random rate representation result sample sampler sampling scheme score "
        "search sequence set setting setup simple size solution solver space stage standard state statistic "
        "step strategy structure system target task technique term theory tool train training transform "
        "transformation type unsupervised update validation value variable vector workflow"
    )
)
"""Stems of words that each paper uses for something of its own: a name made only of them names nothing alone."""
VAGUE = GENERIC | {stem(word) for word in WORD.findall("benchmark posterior prior selection test time weight")}
"""With those that say something only beside two others."""
LIGHT = frozenset(
    WORD.findall(
        "applying building calculating choosing computing constructing creating defining evaluating implementing "
        "maximizing minimising minimizing optimising optimizing performing running solving using"
    )
)
"""Words at the beginning that say what is done with the thing named after them."""
TAIL = frozenset(
    WORD.findall(
        "architecture implementation mechanism methodology module objective pipeline protocol scheme setup stage step "
        "strategy system workflow"
    )
)
"""Words at the end without which a name stays what it is."""
MOST_WORDS = 8
"""Words of a name that are compared; what has more is a sentence."""


class Named(NamedTuple):
    """A technique as far as joining needs it; `kind` is that of the graph."""

    id: str
    name: str
    aliases: tuple[str, ...]
    paper: str
    kind: str = "technique"


class Form(NamedTuple):
    """Names taken apart.

    `telling` are keys of names that say by themselves what is meant, `weak` those of names that may mean another
    thing elsewhere (one ordinary word, a verb and what it is done to, the same words in another order), `initials`
    those in which words are replaced by their initials; names of one or two generic words have no key. `words` are the
    stems of each name, the first one's first, `heads` the last of each; `first` tells whether that name is an acronym.
    """

    telling: frozenset[str]
    weak: frozenset[str]
    initials: frozenset[str]
    acronyms: frozenset[str]
    first: bool
    words: tuple[frozenset[str], ...]
    heads: frozenset[str]
    coined: bool


def _trimmed(name: str) -> tuple[tuple[str, ...], bool]:
    """The words of a name without light verbs and tails, and whether a verb was taken."""
    found = list(name_words(name))
    verb = len(found) > 2 and found[0] in LIGHT
    while len(found) > 2 and found[0] in LIGHT:
        del found[0]
    while len(found) > 1 and found[-1] in TAIL:
        found.pop()
    return tuple(found), verb


@lru_cache(maxsize=400_000)
def form_of(name: str, aliases: tuple[str, ...]) -> Form:
    """The form of a technique's names; the same names give the same form."""
    telling, weak, initials = set[str](), set[str](), set[str]()
    stemmed: dict[frozenset[str], None] = {}
    heads: set[str] = set()
    short = [each for each in (name, *aliases) if is_acronym(each)]
    for each in dict.fromkeys((name, *aliases)):
        words, verb = _trimmed(each)
        if not words or (is_acronym(each) and each != name):
            continue
        stems = frozenset(map(stem, words[:MOST_WORDS]))
        stemmed[stems] = None
        heads.add(stem(words[-1]))
        coined = _coined(each)
        if stems <= VAGUE and len(stems) < 3 and not coined:
            continue
        sure = not verb and (len(WORD.findall(each)) > 1 or coined)
        (telling if sure else weak).add(name_key(" ".join(words)))
        if len(stems) > 1:
            weak.add("+".join(sorted(stems)))
            initials |= _initials(words[:MOST_WORDS])
    return Form(
        frozenset(telling), frozenset(weak - telling), frozenset(initials),
        frozenset(_singular(each) for each in short), name in short, tuple(stemmed), frozenset(heads),
        any(is_acronym(part) for part in name.split()),
    )  # fmt: skip


def is_generic(name: str) -> bool:
    """Whether a name has no key: it names nothing by itself."""
    form = form_of(name, ())
    return not form.telling | form.weak


def _coined(name: str) -> bool:
    """Whether a word has a capital or digit inside, as no dictionary has: "LoRA", "k-NN", "word2vec"."""
    return any(char.isupper() or char.isdigit() for part in WORD.findall(name) for char in part[1:])


def _singular(acronym: str) -> str:
    return (acronym[:-1] if acronym.endswith("s") else acronym).upper()


def _initials(words: tuple[str, ...]) -> set[str]:
    """Keys in which three or more words in a row are their initials: "lsm tree" of "log structured merge tree"."""
    spans = [(i, j) for i, j in combinations(range(len(words) + 1), 2) if 3 <= j - i < len(words)]
    return {name_key(" ".join((*words[:i], "".join(w[0] for w in words[i:j]), *words[j:]))) for i, j in spans}


def identity_keys(form: Form) -> frozenset[str]:
    """The keys that techniques share if they are one, none too long for the index."""
    names = (bounded(f"n:{key}") for key in form.telling | form.weak | form.initials)
    return frozenset((*names, *(f"a:{short}" for short in form.acronyms)))


def kept_keys(form: Form) -> frozenset[str]:
    """The keys under which a technique is found."""
    words = {f"w:{word}" for found in form.words for word in found}
    return frozenset((*identity_keys(form), *_pairs(form), *words, *(f"o:{word}" for word in _only(form))))


def asked_keys(form: Form) -> frozenset[str]:
    """The keys of those with which a technique is compared: whoever asks by them finds whom he is found by.

    Two words in common, one of them not generic, are enough; where a name is one word, that word.
    """
    words = {f"o:{word}" for found in form.words for word in found if word not in GENERIC}
    return frozenset((*identity_keys(form), *_pairs(form), *words, *(f"w:{word}" for word in _only(form))))


def _only(form: Form) -> Iterable[str]:
    return {next(iter(found)) for found in form.words if len(found) == 1} - GENERIC


def _pairs(form: Form) -> set[str]:
    return {
        f"p:{one} {other}"
        for found in form.words
        for one, other in combinations(sorted(found), 2)
        if not {one, other} <= GENERIC
    }
