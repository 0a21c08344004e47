"""Ways of working that documentation names, and that leave a mark in any source that works so.

Each way is refused only where nothing in the source, nor in what it calls of the repository, bears its mark, and where
nothing is called of which the name tells nothing.
"""

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass

from agents.code.verify.computing import is_unknown
from agents.code.verify.docstrings import sentences
from agents.code.verify.possible import Reach, last

__all__ = ["not_worked_so"]

_UNSURE = re.compile(
    r"(?i)\b(?:not?|never|non|without|unless|if|when|where|whether|optional(?:ly)?|may|might|should|must|can|could"
    r"|callers?|users?|todo|instead|unlike|rather|than|already|assumes?|assumed|given|expects?|expected|see|like"
    r"|similar to|for use|before|after|once|later|safe(?:ly)?|used (?:by|in|to)|approximat\w*|almost|nearly|inputs?"
    r"|precomputed)\b|n't\b|\?"
)
"""What makes a sentence say less, or say it of something else."""
_FIRST = re.compile(r"(?<=[.!?])\s|\n\s*\n")


@dataclass(frozen=True)
class Way:
    """`said` in a sentence names it, but for what is `spared` by anything in the docstring; its mark are `names`, or a
    piece of syntax that `shows` it; `lacking` goes on "nothing in its source"."""

    said: re.Pattern[str]
    names: re.Pattern[str]
    lacking: str
    shows: Callable[[ast.AST], bool] = lambda _: False
    spared: re.Pattern[str] = re.compile(r"(?!)")


def _grows(part: ast.AST) -> bool:
    """A power, or a product that is kept, or with a plain number: one with the number of tries grows evenly."""
    op = getattr(part, "op", None)
    if isinstance(part, ast.BinOp) and isinstance(op, ast.Mult):
        return any(isinstance(side, ast.Constant) for side in (part.left, part.right))
    return isinstance(op, ast.Pow | ast.LShift | ast.Mult)


def _powers(part: ast.AST) -> bool:
    """A power whose exponent is no plain number, or a product that is kept."""
    if isinstance(part, ast.AugAssign):
        return isinstance(part.op, ast.Pow | ast.Mult)
    return isinstance(part, ast.BinOp) and isinstance(part.op, ast.Pow) and not isinstance(part.right, ast.Constant)


def _roots(part: ast.AST) -> bool:
    """A power that is no whole number's."""
    if not (isinstance(part, ast.BinOp | ast.AugAssign) and isinstance(part.op, ast.Pow)):
        return False
    exponent = part.right if isinstance(part, ast.BinOp) else part.value
    return not (isinstance(exponent, ast.Constant) and isinstance(exponent.value, int))


def _keeps(part: ast.AST) -> bool:
    return isinstance(part, ast.Subscript | ast.Attribute) and isinstance(part.ctx, ast.Store)


def _both_sides(part: ast.AST) -> bool:
    """Twice or half of something, its square, or its negative."""
    if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub):
        return not isinstance(part.operand, ast.Constant)
    sides = [getattr(part, side, None) for side in ("left", "right")]
    return isinstance(getattr(part, "op", None), ast.Mult | ast.Pow | ast.Div) and any(
        isinstance(side, ast.Constant) and side.value in (2, 2.0) for side in sides
    )


def _halves(part: ast.AST) -> bool:
    """What rounds without saying so: a half, what is left of a division, or a form for numbers."""
    if isinstance(part, ast.Constant) and isinstance(part.value, int | float):
        return str(part.value).replace(".", "").strip("0") == "5"
    if isinstance(part, ast.FormattedValue):
        return part.format_spec is not None
    divisor = part.right if isinstance(part, ast.BinOp) else None
    by_two = isinstance(divisor, ast.Constant) and divisor.value in (2, 2.0)
    return by_two or isinstance(getattr(part, "op", None), ast.FloorDiv | ast.Mod | ast.RShift)


_DRAWS = (
    r"^(?:randomly )?(?:draws?|(?:re)?samples?|chooses?|picks?|selects?) (?!with|drawn)"
    r"(?!.*\b(?:are|is|was|were)\b).*\b"
)
_WAYS = (
    Way(
        re.compile(r"(?i)\bexponential(?:ly)?[- ](?:growing |increasing )?(?:back-?\s?off|delays?|waits?)\b"),
        re.compile(r"(?i)exp|pow|back_?off|factor|multipl|doubl|ldexp"),
        "makes a delay grow by a factor",
        _grows,
    ),
    Way(
        re.compile(r"(?i)\bconcurrently\b|\bat the same time\b"),
        re.compile(
            r"(?i)gather|task|spawn|start|as_completed|\bwait$|future|nursery|thread|process|pool|submit|parallel|concurr"
            r"|joblib|map_async|executor|fork|worker|\brun_"
        ),
        "runs two at once",
        lambda part: isinstance(part, ast.AsyncFor | ast.AsyncWith),
    ),
    Way(
        re.compile(rf"(?i){_DRAWS}with replacement\b|\bfrom (?:\w+ )?(?:re)?samples (?:drawn )?with replacement\b"),
        re.compile(r"(?i)choice|randint|randrange|integers|rand$|replace|resampl|boot|multinomial|uniform|poisson"),
        "draws with replacement",
    ),
    Way(
        re.compile(rf"(?i){_DRAWS}without replacement\b"),
        re.compile(
            r"(?i)^r?sample$|perm|shuffl|replace|pop|remove|discard|delete|heap|reservoir|^set$|unique|multinomial"
            r"|without|argsort|argpartition|topk|gumbel|combinations|dict|seen|taken|chosen|used|hypergeom|sort"
        ),
        "keeps from drawing the same again",
        lambda part: isinstance(part, ast.Set | ast.SetComp | ast.Delete | ast.NotIn | ast.In),
    ),
    Way(
        re.compile(r"(?i)^(?=.*\bbias[- ]correct(?:ion|ed)\b).*?\b(?:adam\w*|moments?|momentum)\b"),
        re.compile(r"(?i)pow|exp|log|correct|debias|unbias"),
        "takes a power of the number of steps",
        _powers,
    ),
    Way(
        re.compile(r"(?i)^(?:returns?:? |comput\w+ |the |an? )*(?:(?:weighted|running|rolling|moving) )?median\b"),
        re.compile(r"(?i)med|quantile|percentile|sort|partition|heap|nth|bisect|rank|kth|select|insort|order|count"),
        "puts values in order",
        # an item at a place of what an object holds: another method may have put it in order
        lambda part: isinstance(part, ast.Subscript) and isinstance(part.value, ast.Attribute),
    ),
    Way(
        re.compile(
            r"(?i)^(?:return(?:s|ed)?:? |comput\w+ |the |a |all |matrix of (?:the )?|pairwise )*(?:euclidean|l2) "
            r"(?:distances?|norms?)\b(?!.*\bsquare)"
        ),
        re.compile(r"(?i)sqrt|norm|hypot|dist|pow|^abs$|einsum|euclid|root|^l2"),
        "takes a root",
        _roots,
    ),
    Way(
        re.compile(r"(?i)\b(?:by|of|as|the|is) (?:the )?cosine (?:similarit|distance)\w*\b"),
        re.compile(r"(?i)sqrt|norm|hypot|cos|pow|einsum|unit|root|^l2|scale"),
        "takes the length of a vector",
        _roots,
        re.compile(r"(?i)\bunit\b|normali[sz]|\bunits?[- ]?(?:vector|length|norm)"),
    ),
    Way(
        re.compile(r"(?i)\btwo[- ](?:sided|tailed)\b(?!.*\b(?:one|either)[- ](?:sided|tailed))"),
        re.compile(r"(?i)abs|two|both|side|tail|^min|^max|square|chi|sf$|cdf|pvalue|ppf|quantile|percentile|f_oneway"),
        "looks at both sides",
        _both_sides,
    ),
    Way(
        re.compile(r"(?i)(?:\b(?:results?|answers?) (?:are|is) |\band |^)(?:cached|memoi[sz]ed)\b"),
        re.compile(r"(?i)cache|memo|lru|seen|known|store|table|setdefault|shelve|dump|save|write|put"),
        "keeps a result",
        _keeps,
    ),
    Way(
        re.compile(r"(?i)^(?:randomly )?shuffles?\b|\b(?:in|into) (?:a )?random order\b|^randomly\b"),
        re.compile(r"(?i)rand|shuffl|perm|sampl|choice|rng|seed|uniform|normal|hash|entropy|noise|dropout|^key|gener|draw"),
        "draws anything at random",
    ),
    Way(
        re.compile(
            r"(?i)(?:[,;(] ?(?:and )?|\band )rounded (?:half (?:up|down|to even|away from zero) )?"
            r"to (?:the )?(?:nearest|closest)\b"
            r"|^rounds? (?:an? |the )?\w+ to (?:the )?(?:nearest|closest)\b"
        ),
        re.compile(
            r"(?i)round|r_?int|floor|ceil|near|close|quanti|half|fix|format|digit|arg_?min|^min$|bisect|search|decimal|integral"
            r"|fraction|divmod|precision|cast|convert|print|str$|repr|lround|snap|tick|grid"
        ),
        "rounds anything",
        _halves,
    ),
)  # fmt: skip


def not_worked_so(docstring: str, reach: Reach) -> str:
    """What the first sentence says of a way in which the source does not work, and what is lacking; empty for none.
    Further sentences may speak of what is given, or of why."""
    first = _FIRST.split(docstring.strip(), maxsplit=1)[0]
    for way in _WAYS:
        said = next((one for one in sentences(first) if _says(way, one)), "")
        if said and not way.spared.search(docstring) and reach.top is not None and not _may(way, reach):
            return f"its docstring says: {said[:200]}; nothing in its source {way.lacking}"
    return ""


def _says(way: Way, sentence: str) -> bool:
    return bool(way.said.search(sentence)) and not _UNSURE.search(way.said.sub("", sentence))


def _may(way: Way, reach: Reach) -> bool:
    parts = reach.parts
    stored = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    given = {part.arg for node in reach.nodes for part in ast.walk(node) if isinstance(part, ast.arg)}
    if any(is_unknown(reach, part) and not _callee(part) & (stored | given) for part in parts):
        return True
    named = {part.arg for part in parts if isinstance(part, ast.keyword) and part.arg}
    named |= (reach.names(reach.nodes) - stored) | given
    return any(map(way.names.search, named)) or any(map(way.shows, parts))


def _callee(part: ast.AST) -> set[str]:
    """The plain name that is called: of an argument or a variable, whose calls are not this unit's doing."""
    return {last(part.func)} if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) else set()
