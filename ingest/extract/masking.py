"""LaTeX source made safe to scan: comments and verbatim blanked at equal length, groups and environments matched.

Everything here is a single pass over the text and keeps every offset, so that positions found later are positions
of the flattened document.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Masked", "mask"]

_VERBATIM = ("verbatim", "Verbatim", "lstlisting", "minted", "comment", "filecontents", "filecontents*", "alltt")
_VERBATIM_BEGIN = re.compile(r"\\begin\s*\{(" + "|".join(re.escape(name) for name in _VERBATIM) + r")\}")
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*")
_IFFALSE = re.compile(r"\\iffalse\b(.*?)\\fi\b", re.DOTALL)
_POINTER = re.compile(r"\\(?:label|[A-Za-z]*ref|[A-Za-z]*cite[a-z]*|url|href|bibitem)\*?\s*\{[^{}]*#1")
_REFERRING = re.compile(r"\\(?!href)[A-Za-z]*ref\*?\s*\{[^{}]*#1")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_ENV = r"\\(begin|end)\s*\{([^{}\n]{1,40})\}"
_ABBREVIATED = re.compile(r"\s*\\(begin|end)\s*\{([^{}\n]{1,40})\}")
_DEFINITION = re.compile(
    r"\\(?:re|provide)?newcommand\*?\s*\{?\s*\\([A-Za-z@]+)\s*\}?\s*(\[\d\](?:\[[^\]\n]*\])?)?\s*\{|\\def\s*\\([A-Za-z@]+)\s*(#1)?\s*\{"
)


@dataclass(frozen=True)
class Masked:
    """Text of the same length as the source; `groups` maps "{" to its "}", `environments` a \\begin to its \\end.

    `environments[i]` is ``(name, body_start, body_end, end)`` for the \\begin at offset ``i``. `macros` are the
    bodies of the paper's own macros without arguments, at most 200 characters each; `silent` names those that print
    nothing of their argument, such as an author's margin note or a private \\ref; `refs` are those of them that refer,
    also through each other (\\eq to \\Eq to \\eqref); `shorthands` maps a macro that only
    begins or ends an environment (\\beq) to ``("begin" or "end", environment)``; `functions` are the macros with
    arguments as ``(how many, body)``.
    """

    text: str
    groups: Mapping[int, int]
    environments: Mapping[int, tuple[str, int, int, int]]
    macros: Mapping[str, str]
    silent: frozenset[str]
    refs: frozenset[str]
    shorthands: Mapping[str, tuple[str, str]]
    functions: Mapping[str, tuple[int, str]]


def _blank_verbatim(text: str) -> str:
    pieces: list[str] = []
    at = 0
    for match in _VERBATIM_BEGIN.finditer(text):
        if match.start() < at:
            continue
        end = text.find("\\end{" + match[1] + "}", match.end())
        if end < 0:
            continue
        pieces += [text[at : match.end()], re.sub(r"[^\n]", " ", text[match.end() : end])]
        at = end
    return "".join([*pieces, text[at:]])


def mask(source: str) -> Masked:
    """Blank what is not read, then match braces and environments; unmatched ones are simply not in the maps."""
    text = _blank_verbatim(source)
    text = _COMMENT.sub(lambda m: m[1] + " " * (len(m[0]) - len(m[1])), text)
    text = _IFFALSE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    groups: dict[int, int] = {}
    stack: list[int] = []
    for match in _BRACE.finditer(text):
        if match[0] == "{":
            stack.append(match.start())
        elif match[0] == "}" and stack:
            groups[stack.pop()] = match.start()
    own = _own_macros(text, groups)
    return Masked(
        text,
        groups,
        _environments(text, own.shorthands),
        own.bodies,
        frozenset(own.silent),
        frozenset(own.refs),
        own.shorthands,
        own.functions,
    )


@dataclass(frozen=True)
class _Own:
    bodies: dict[str, str] = field(default_factory=dict)
    silent: set[str] = field(default_factory=set)
    refs: set[str] = field(default_factory=set)
    shorthands: dict[str, tuple[str, str]] = field(default_factory=dict)
    functions: dict[str, tuple[int, str]] = field(default_factory=dict)


def _environments(text: str, shorthands: Mapping[str, tuple[str, str]]) -> dict[int, tuple[str, int, int, int]]:
    found: dict[int, tuple[str, int, int, int]] = {}
    opened: list[tuple[str, int, int]] = []
    names = "|".join(sorted(shorthands, key=len, reverse=True))
    pattern = re.compile(_ENV + (rf"|\\({names})(?![A-Za-z@])" if names else "()"))
    for match in pattern.finditer(text):
        if match[3] and text[max(0, match.start() - 16) : match.start()].rstrip("{ *").endswith(("command", "\\def")):
            continue
        which, name = shorthands[match[3]] if match[3] else (match[1], match[2].strip())
        if which == "begin":
            opened.append((name, match.start(), match.end()))
            continue
        for depth in range(len(opened) - 1, max(-1, len(opened) - 20), -1):
            if opened[depth][0] == name:
                _, start, body = opened[depth]
                found[start] = (name, body, match.start(), match.end())
                del opened[depth:]
                break
    return found


MAX_POINTING = 8
"""How many macros deep a reference may be wrapped: \\eq to \\Eq to \\eqref is three."""

_TO_ITS_ARGUMENT = re.compile(r"\\([A-Za-z@]+)\s*\{#1\}")


def _own_macros(text: str, groups: Mapping[int, int]) -> _Own:
    own = _Own()
    for match in _DEFINITION.finditer(text):
        name = match[1] or match[3]
        close = groups.get(match.end() - 1)
        if close is None or close - match.end() > 2000:
            continue
        body = text[match.end() : close]
        short = _ABBREVIATED.match(body)
        if short and ("\\end{" + short[2] + "}" not in body or short[1] == "end"):
            own.shorthands[name] = (short[1], short[2])
        elif match[2] or match[4]:
            if "#1" not in body or _POINTER.search(body):
                own.silent.add(name)
                if _REFERRING.search(body):
                    own.refs.add(name)
            elif len(body) <= 200 and "[" not in (match[2] or "")[3:]:
                own.functions[name] = (int(match[2][1]) if match[2] else 1, body)
        elif len(body) <= 200:
            own.bodies[name] = body
    for _ in range(MAX_POINTING):
        pointing = {name for name, (_, body) in own.functions.items() if own.refs & set(_TO_ITS_ARGUMENT.findall(body))}
        if not pointing:
            break
        own.silent.update(pointing)
        own.refs.update(pointing)
        for name in pointing:
            del own.functions[name]
    return own
