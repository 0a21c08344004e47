"""Formulas over a function's own parameters that its documentation says are its result.

Read are whole formulas alone: what stands beside one must not take part in it, and no word near it may make another
thing of it. A docstring that speaks of conditions, bounds or approximations gives no formula at all.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from agents.code.verify.docstrings import noted, prose
from agents.code.verify.limiting import compared, is_limited
from agents.code.verify.notation import Tree, Unreadable, plain, tree_of
from agents.execution.syntax import NotPython3, parse_piece
from kg.models.code import CodeUnit

__all__ = ["formulas"]

MOST, TOKENS = 3, 80
"""Formulas of one docstring, and tokens of one that are looked at."""
_PART = re.compile(r"(?<=[.;!?])\s+(?![a-z(])|\n\s*\n|\n(?=\s*[-*>] )")
_RAISING = re.compile(r"(?im)^[^\n]*\b(?:raises?|raised)\b[^\n]*$")
_CONDITION = re.compile(
    r"(?i)\b(?:if|when\w*|otherwise|unless|except\w*|else|in case|clip\w*|clamp\w*|capped|bounded|truncat\w*|saturat\w*"
    r"|threshold\w*|approx\w*|about|roughly|nearly|almost|estimat\w*|epsilon|eps|near|smooth\w*|stab\w*|round\w*|random\w*"
    r"|nois[ey]|sampl(?:e[sd]|ing)|at least|at most|no less|no more|only|above|below|under|beyond|exceed\w*|inside"
    r"|outside|limit\w*|special|by default|optional\w*|modul\w*|wrap\w*|cut|floored|todo|deprecated|avoid\w*|guard\w*"
    r"|safe\w*|finite|zero (?:for|where|in)|for (?:negative|positive|small|large|even|odd|non\w*))\b"
    r"|~|≈|≃|∼|≤|≥|≠|∝|<|(?<![->])>|==|!="
)
"""Of a docstring: its formula may not be all that there is to say."""
_OPTIONAL = re.compile(r"[,(] *optional\b")
"""Of a parameter's type."""
_OTHERWISE = re.compile(
    r"(?i)\b(?:not?|never|without|instead|rather|unlike|than|derivative|gradient|integral|inverse|solv\w+|solutions?"
    r"|minimi[sz]\w*|maximi[sz]\w*|arg ?(?:min|max)|such that|proportional|complexity|O|steps|iterat\w*|both|pairs?"
    r"|tuple|respectively|assum\w*|replac\w*|rewrit\w*|faster|symbol\w*|string|text|expression tree|log[- ]domain"
    r"|up to|subject to|in place|adds?|appends?|updates?|gives? up|number of|shapes?)\b|n't\b|[∑Σ∏∫∇∂‖…]|\|\||\?|\.\.\."
)
"""Of a sentence: its formula is not the result."""
_OF_IT = re.compile(
    r"(?i)\b(?:sums?|means?|averages?|totals?|products?|maxim\w+|minim\w+|largest|smallest|reciprocal|rows?|columns?"
    r"|vectors?|lists?|exponential|norm) (?:[a-z]+ )?(?:of|over)\b"
    r"|\b(?:roots?|log\w*|mean|average|norm|negative|negated|absolute|squared?|reciprocal)\W*(?:of )?\W*$"
    r"|\b(?:where|with|let|using|uses?|via|from|through|given|to|against|on|per|then|first|or|and|by means)\b"
)
"""Between a formula and the sign or word that says what it is: something is made of it, or it is made on the way."""
_STRONG = re.compile(r"(?i)[:=;]|\b(?:is|are|as|by|equals|i\.e\.|namely)(?= *[¦:(]* *$)|->|→")
_RESULT = re.compile(
    r"(?i)^\W*(?:returns?|computes?|calculates?|evaluates?|gives?|yields?|:returns?:)\b"
    r"|^\W*(?:float|int|number|scalar|list|array|(?:np\.|numpy\.)?ndarray|(?:torch\.)?tensor)\W*$"
)
_BESIDE = re.compile(
    r"(?i)[\s¦)\]]*(?:$|[.,;:](?!\w)|(?:where|with|at|for|(?:element|entry|point|component)-?wise|using|over)\b)"
)
"""What may stand after a formula."""
_SIZED = re.compile(
    r"(?i)\b(?:sizes?|lengths?|shapes?|ranks?|dim\w*|ndim|count|degrees?|order|rows?|nodes|edges|points|index|indices|len)\b"
)
_ASSIGNED = re.compile(r"(?i)\b(?:where|with|let|using|uses?|via|from|and|through|given|by means)\b")
_NAMED = re.compile(r"(?<![\w*/+-] )(?:[A-Za-z_]\w*|[A-Za-z_]\w* ?\([\w, ;]*\)) *= *[¦(]*$")
"""What a formula is said to be: a name, or a function of its parameters."""
_TOKEN = re.compile(r"(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\.\d+)|([A-Za-z_]\w*)|(\*\*|//|[-+*/%()\[\],])|(\S)")
_OPERATIONS = {"+", "-", "*", "/", "//", "%", "**"}
_SPOKEN = {"for", "in", "zip"}
_LETTER = re.compile(r"[A-Za-z](?:_?i)?|mean|pi|x_?bar")


def formulas(unit: CodeUnit, parameters: Sequence[str]) -> Iterator[tuple[tuple[object, ...], str]]:
    """Each formula that the docstring says is the result: its tree with the parameters that the source compares or
    chooses by, and its sentence."""
    names = [name for name in parameters if name not in {"self", "cls"} and name.isidentifier()]
    found, left = dict[Tree, str](), list[str]()
    text = _RAISING.sub("", prose(unit.docstring)) if names else ""
    for number, part in enumerate(filter(str.strip, _PART.split(text))):
        sentence = whole = " ".join(plain(part).split())
        for start, end, tree in reversed(list(_spans(whole, names, unit.name))):
            if _is_result(whole[:start], whole[end:], number == 0):
                found.setdefault(tree, " ".join(part.split()))
            sentence = f"{sentence[:start]} {sentence[end:]}"
        left.append(sentence)
    left.append(_OPTIONAL.sub("", plain(noted(unit.docstring))))
    words = re.sub(rf"\b(?:{'|'.join(map(re.escape, names))})\b", " ", "\n".join(left)) if found else ""
    if not found or len(found) > MOST or _CONDITION.search(words):
        return
    try:
        source = parse_piece(unit.text)
    except NotPython3:
        return
    labels = tuple(sorted(compared(source, names)))
    for tree, sentence in found.items():
        if not is_limited(source, _within(tree, names), names, _limits(tree)):
            yield (tree, labels), sentence


def _within(tree: Tree, names: Sequence[str]) -> set[str]:
    """Parameters that take part in a formula; the first other one may be its only list."""
    nodes = list(_nodes(tree))
    found = {str(node[1]) for node in nodes if node[0] in {"name", "unit"}} & set(names)
    others = [name for name in names if name not in found]
    return found.union(others[:1] if any(node[0] in {"n", "mean", "element"} for node in nodes) else ())


def _limits(tree: Tree) -> list[str]:
    return [str(node[1]) for node in _nodes(tree) if node[0] == "call" and node[1] in {"max", "min"} and len(node) > 3]


def _is_result(before: str, after: str, summary: bool) -> bool:
    """Whether what stands around a formula in its sentence says that it is the result, and all of it."""
    strong = [match.end() for match in _STRONG.finditer(before)]
    led, near = (before[: strong[-1]], before[strong[-1] :]) if strong else ("", before)
    if not _BESIDE.match(after) or (before.count("(") > before.count(")") and re.match(r"[\s¦]*,", after)):
        return False
    if (
        any(_OTHERWISE.search(part) for part in (near, after))
        or "..." in before
        or _OF_IT.search(near)
        or _SIZED.search(near)
    ):
        return False
    if re.search(r"= *[¦(]*$", led) and any(
        (_ASSIGNED.search(led), _OTHERWISE.search(led), _SIZED.search(led), not _NAMED.search(led))
    ):
        return False
    return summary or not near.strip(" ¦(:") or bool(_RESULT.match(before))


def _spans(sentence: str, names: Collection[str], own: str) -> Iterator[tuple[int, int, Tree]]:
    """The places of formulas in a sentence, in order: of what may belong to each the longest that can be read."""
    for run in _runs(sentence, names):
        starts, ends = _droppable(run), _droppable(run[::-1])
        for _, first, last in sorted(((s + e, s, len(run) - e) for s in starts for e in ends), key=lambda one: one[0]):
            tokens = run[first:last]
            if _are_words(tokens):
                continue
            try:
                tree = tree_of(_text(tokens), names)
            except Unreadable:
                continue
            start, end = tokens[0].start, tokens[-1].end
            if _is_of(tree, names, own) and not re.match(r"\s*[¦)]* *=(?!=)", sentence[end:]):
                yield start, end, tree
            break


def _are_words(tokens: Sequence["_Token"]) -> bool:
    """Whether it may be a compound ("k-means", "left/right") and no operation."""
    signs = [at for at, token in enumerate(tokens) if token.text in _OPERATIONS and at]
    if not signs:
        return not any(token.kind == "call" for token in tokens)
    alone = len(signs) == 1 and len(tokens) == 3 and tokens[1].text in "-/"
    return alone and tokens[0].end == tokens[1].start and tokens[1].end == tokens[2].start


def _droppable(run: Sequence["_Token"]) -> list[int]:
    """How many tokens at an end may be words of the sentence, or its brackets."""
    found = [0]
    for token in run:
        if token.kind != "name" and token.text not in "()":
            break
        found.append(found[-1] + 1)
    return found


def _text(tokens: Sequence["_Token"]) -> str:
    """As Python, with the signs that are left out between a number, or brackets, and what follows."""
    parts = list[str]()
    for place, token in enumerate(tokens):
        last = tokens[place - 1] if place else None
        if last and token.kind in {"name", "call"} and (last.kind == "number" or last.text == ")"):
            if last.kind == "number" and place > 1 and tokens[place - 2].text == "/" and last.end == token.start:
                raise Unreadable("what is divided by?")
            parts += ["*"] if token.text not in _SPOKEN else []
        elif last and token.text == "(" and last.text == ")":
            parts.append("*")
        parts.append(token.text)
    return " ".join(parts)


def _is_of(tree: Tree, names: Collection[str], own: str) -> bool:
    """Whether a tree is one of parameters, and neither of the function itself nor one call alone."""
    nodes = list(_nodes(tree))
    called = [node[1] for node in nodes if node[0] == "unit"]
    free = {node[1] for node in nodes if node[0] == "free"}
    if tree[0] not in {"call", "unit", *_OPERATIONS} and not (tree[0] == "neg" and len(nodes) > 2):
        return False
    if own in set(called).difference(names) or (tree[0] == "unit" and len(called) < 2):
        return False
    if free:
        return len(free) == 1 and tree[0] == "unit" and set(called) <= set(names)
    return any(node[0] in {"name", "n", "mean", "element"} for node in nodes)


def _nodes(tree: Tree) -> Iterator[Tree]:
    yield tree
    for part in tree[1:]:
        if isinstance(part, tuple):
            yield from _nodes(part)


@dataclass(frozen=True)
class _Token:
    """Of a sentence: a "number", "name", "call" (a name before a bracket), "sign", or "" for what is in none."""

    text: str
    kind: str
    start: int
    end: int


def _runs(sentence: str, names: Collection[str]) -> Iterator[list[_Token]]:
    """Tokens that may stand in a formula together."""
    run, depth = list[_Token](), 0
    for token in [*_tokens(sentence, names), _Token(";", "", len(sentence), len(sentence))]:
        known = token.kind and not (token.text == "," and not depth)
        known = known and (token.text not in _SPOKEN or depth > 0)
        if run and (not known or len(run) >= TOKENS or _apart(run[-1], token)):
            if not (run[0].text == "-" and _is_dash(sentence, run[0].start)):
                yield run
            run, depth = [], 0
        if known:
            run.append(token)
            depth += (token.text in "([") - (token.text in ")]") if token.kind == "sign" else 0


def _apart(last: _Token, token: _Token) -> bool:
    """Whether two tokens beside each other are in no formula together."""
    spaced = last.end < token.start
    if {last.text, token.text} & _SPOKEN:
        return False
    if last.kind in {"name", "call"}:
        return token.kind in {"name", "call", "number"} or (token.text == "(" and last.kind == "name")
    return last.text == ")" and spaced and (token.kind in {"name", "call"} or token.text == "(")


def _is_dash(sentence: str, at: int) -> bool:
    """Whether a minus may be one of words: one stands before it, and not the number after it."""
    before = sentence[max(at - 2, 0) : at]  # words of a sentence are one space apart
    return bool(re.search(r"\w$", before)) or bool(
        re.search(r"\w +$", before) and sentence[at + 1 : at + 2] in {" ", ""}
    )


def _tokens(sentence: str, names: Collection[str]) -> Iterator[_Token]:
    for match in _TOKEN.finditer(sentence):
        text, end = match.group(), match.end()
        if match[1]:
            kind = "number"
        elif match[3]:
            kind = "sign"
        elif match[2] and sentence[end : end + 1] == "(" and not text[0].isupper():
            kind = "call"
        elif text in _SPOKEN or (match[2] and _is_name(text, names)):
            kind = "name"
        else:
            kind = ""
        yield _Token(text, kind, match.start(), end)


def _is_name(text: str, names: Collection[str]) -> bool:
    stem = text.removesuffix("_i")
    return stem in names or f"{stem}s" in names or bool(_LETTER.fullmatch(text))
