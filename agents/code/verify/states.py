"""What documentation says of what objects hold: that it is made as new, replaced, handed out for good, told of all that
was added so far, taken out in turn; and that a result is a list.

Each is tried inside (see ``xkg_inside.states``). Only what is plain is read, no sentence with further conditions.
"""

import re
from collections.abc import Iterator

from agents.code.verify.docstrings import sentences

__all__ = ["states_said"]

_UNSURE = re.compile(
    r"(?i)\b(?:unless|except|otherwise|may|might|should|could|would|must|usually|typically|mostly|possibly|optional\w*"
    r"|approximat\w*|about|roughly|nearly|almost|can|assum\w*|expects?|provided|depend\w*|warn\w*|if|when\w*|but|apart"
    r"|other than|only|todo)\b|\?|>>>"
)
_DENIED = re.compile(r"(?i)\b(?:not|no|never|nor|neither|without|instead|rather|cannot|unlike)\b|n't\b")
_JUST = r"(?:just|newly|freshly) (?:made|created|built|constructed|initiali[sz]ed|opened)"
_AS_NEW = re.compile(
    rf"(?i)\b(?:as|like|as good as) (?:a )?(?:brand[- ]?)?(?:new|{_JUST})(?: one| then| again)?(?=[.,;)]|$)"
    rf"|\bas (?:if|though) (?:it (?:was|were|had been) )?{_JUST}(?=[.,;)]|$)"
    r"|\b(?:back )?to (?:its|the) (?:initial|original|starting) state(?=[.,;)]|$)"
)
_WHOLE = {"object", "instance", "initial", "original", "starting"}
_IS_MADE_NEW = re.compile(
    r"(?i)\b(?:is|becomes?|behaves?|works?|begins?|starts?|back|resets?|restores?|sets?|clears?|brings?)\b"
)
_BEFORE = r"(?:previous|earlier|former|old|last)"
_REPLACES = re.compile(
    rf"(?i)\breplac(?:es|ing) (?:the|any|an|all|every) (?:{_BEFORE} \w+|\w+ (?:from )?before)(?=[.,;)]|$)"
    rf"|\b(?:an|any|the|all|every) {_BEFORE} \w+ (?:is|are|gets?) (?:replaced|discarded|forgotten|overwritten|dropped)"
    r"(?=[.,;)]|$)"
)
_ANEW = re.compile(r"^(?:re_?)?(?:set|fit|calibrat|configur|assign|replac|defin|tare|install)")
_GOES_ON = re.compile(
    r"(?i)\b(?:warm\w*|increment\w*|partial\w*|continu\w*|iterat\w*|gradient|average\w*|smooth\w*|blend\w*|momentum)\b"
)
_SETS = re.compile(r"(?i)^sets? the [\w -]+")
_ADDS = re.compile(
    r"(?i)\b(?:add\w*|accumul\w*|increment\w*|increas\w*|relative|offset|sum\w*|total\w*|count\w*|by|call|so far)\b"
)
_LATER = r"(?:later|further|subsequent|following|future)"
_TAKEN = r"(?:it|them|(?:the|an?|earlier) (?:copy|copies|snapshots?|results?|returned \w+)|what (?:is|was) returned)"
_CHANGES = r"(?:chang|alter|affect|touch|modif)"
_HANDED = re.compile(
    rf"(?i)^(?:and |so )?(?:{_LATER} \w+(?: (?:of|to|on) [\w ]+?)?|what is done (?:to \w+ )?(?:later|afterwards))"
    rf" (?:do|does|will) not {_CHANGES}[ey]? {_TAKEN}(?=[.,;)]|$)"
    rf"|\b{_TAKEN} (?:is|are|will be) (?:not|never) {_CHANGES}i?ed by {_LATER} \w+(?=[.,;)]|$)"
)
_COPY = re.compile(
    r"(?i)^(?:returns? |gives? |hands out )?(?:an? |the )?(?:independent |separate |frozen )?(?:copy|snapshot) of"
    r" (?:the|its|all)\b"
)
_NO_COPY = re.compile(
    r"(?i)\b(?:views?|shared?s?|shallow\w*|referenc\w*|reus\w*|until|lazily|so far|history|live|ids?|proxy)\b"
)
_SO_FAR = re.compile(r"(?i)\b(?:added|seen|observed|recorded|kept|stored|put in|collected|logged|scheduled) so far\b")
_KEPT = re.compile(r"(?i)\b(?:first|earliest|cache\w*|once|last asked|calls?|called)\b")
_TIED = r"(?:those|ones|items|events|entries|elements|tasks|jobs|values|messages)"
_IN_TURN = re.compile(
    rf"(?i)\b(?:{_TIED} (?:of|with|at|due at) (?:the same|equal|an equal) \w+|ties|equal (?:ones|\w+s))"
    r"(?: (?:are|is|come|comes|leave)(?: \w+)?)?,? in (?:the )?(?:order of (?:insertion|arrival)|order (?:in which )?"
    r"(?:they|these) (?:were|have been|came) (?:scheduled|added|put|pushed|inserted|in))\b"
)
_SINCE = re.compile(
    r"(?i)\b(?:once|after) [^.;]{0,60}\bsince the (?:best|lowest|highest|last improvement)(?: \w+)?(?=[.,;)]|$)"
)
_ALTOGETHER = re.compile(
    r"(?i)\b(?:in all|altogether|in total|overall|total|window|cool-?down|not reset|never reset|latch\w*|average\w*)\b"
)
_LISTED = re.compile(
    r"(?i)^(?:(?:returns?|gives?) )?(?:a|the) list of\b"
    r"|(?<!given)(?<!passed)(?<!taken) as a list(?=[.,;)]|$| for )"
)
_ONE_BY_ONE = re.compile(
    r"(?i)\b(?:yield\w*|generat\w*|iterat\w*|iterables?|lazy|lazily|stream\w*|each|every|one by one|by)\b"
)


def states_said(
    name: str, docstring: str, count: int, *, of_object: bool
) -> Iterator[tuple[str, tuple[object, ...], str]]:
    """Of a function or method with `count` parameters: the kind of each promise, its arguments, and the sentence."""
    told = sentences(docstring)
    for number, sentence in enumerate(told):
        if number == 0 and _LISTED.search(sentence) and not _ONE_BY_ONE.search(docstring):
            yield "listed", (" as a list" in sentence,), sentence
        if of_object and _SINCE.search(sentence) and count == 2 and not _ALTOGETHER.search(docstring):
            yield "in_a_row", (), sentence
        if of_object and not _UNSURE.search(_AS_NEW.sub(" ", sentence)):
            for kind, args in _of_objects(name, docstring, sentence, count, first=number == 0):
                yield kind, args, sentence


def _of_objects(
    name: str, docstring: str, sentence: str, count: int, *, first: bool
) -> Iterator[tuple[str, tuple[object, ...]]]:
    if _HANDED.search(sentence) and not _NO_COPY.search(docstring):
        yield "handed", (True,)
    if _DENIED.search(sentence):
        return
    if _AS_NEW.search(sentence) and _IS_MADE_NEW.search(sentence):
        yield "as_new", tuple({*re.findall(r"\b[Tt]he (\w+)", sentence)} - _WHOLE)
    if _ANEW.match(name) and count > 1:
        if _REPLACES.search(sentence) and not _GOES_ON.search(docstring):
            yield "replaced", (False,)
        if first and name.startswith("set") and _SETS.match(sentence) and not _ADDS.search(docstring):
            yield "replaced", (True,)
    if first and _COPY.match(sentence) and not _NO_COPY.search(docstring):
        yield "handed", (False,)
    if _SO_FAR.search(sentence) and not _KEPT.search(docstring):
        yield "current", (name,)
    if _IN_TURN.search(sentence) and count == 1:
        yield "in_turn", (name,)
