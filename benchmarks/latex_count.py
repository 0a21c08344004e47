"""An independent count of what a LaTeX document holds, by plain regular expressions over the bytes of its files.

Shares no code with the parser. Comments, ``\\iffalse`` blocks, verbatim and comment environments are blanked; inputs
are followed in the simplest way; what stands outside ``document`` in the main file is not counted.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Count", "count"]

_HEADS = rb"\\(?:part|chapter|section|subsection|subsubsection|paragraph|subparagraph)\*?"
_HEADING = re.compile(_HEADS + rb"\s*(?:\[[^\]]*\]\s*)?\{")
_ENVS = rb"equation|align|alignat|flalign|gather|multline|eqnarray|displaymath|IEEEeqnarray"
_EQUATION = re.compile(rb"\\begin\s*\{(?:" + _ENVS + rb")\*?\}|(?<!\\)\\\[|(?<![\\$])\$\$(?:[^$\\]|\\.|\$[^$]+\$)+\$\$")
_ALGORITHM = re.compile(rb"\\begin\s*\{(?:algorithm|algorithm2e|lstlisting|minted)\*?\}")
_CITE = re.compile(
    rb"\\(?!citestyle|setcitestyle|citetext|defcitealias|DeclareCite)[a-zA-Z]*[cC]ite(?!d(?![a-z]))[a-zA-Z]*\*?"
    rb"\s*(?:\[[^\]]*\]\s*){0,2}\{([^{}\\#]*)\}"
)
_LABEL = re.compile(rb"\\label\s*\{([^{}\\#]*)\}")
_INPUT = re.compile(
    rb"\\(?:input|include|subfile)\s*(?:\{\s*([^{}\\#]+?)\s*\}|([^\s{}\\]+))|\\(?:sub)?import\*?\s*\{([^{}]*)\}\s*\{([^{}]*)\}"
)
_VERBATIM = re.compile(
    rb"\\begin\{(verbatim|Verbatim|lstlisting|minted|comment|SaveVerbatim)(\*?)\}.*?\\end\{\1\2\}", re.DOTALL
)
_IFFALSE = re.compile(rb"\\iffalse(?![a-zA-Z]).*?\\fi(?![a-zA-Z])", re.DOTALL)
_DEFINITION = re.compile(rb"^[ \t]*\\(?:(?:re|provide)?newcommand|def|let|renewcommand)[^\r\n]*", re.MULTILINE)


@dataclass
class Count:
    """Places are (file, byte); keys and labels are bytes as written."""

    sections: set[tuple[str, int]] = field(default_factory=set)
    equations: set[tuple[str, int]] = field(default_factory=set)
    algorithms: set[tuple[str, int]] = field(default_factory=set)
    keys: set[bytes] = field(default_factory=set)
    labels: set[bytes] = field(default_factory=set)


def _spaces(found: re.Match[bytes]) -> bytes:
    return b" " * len(found[0])


def _read(path: Path) -> tuple[bytes, bytes]:
    """The file with comments and skipped blocks blanked, and the same with verbatim content blanked too."""
    data = path.read_bytes()
    listings = [m.span() for m in _VERBATIM.finditer(data)]
    parts, at = [], 0
    for start, end in listings:
        parts += [_uncommented(data[at:start]), data[start:end]]
        at = end
    text = b"".join([*parts, _uncommented(data[at:])])
    text = _IFFALSE.sub(_spaces, text)
    hollow = _VERBATIM.sub(lambda m: m[0][: m[0].index(b"}") + 1] + b" " * (len(m[0]) - m[0].index(b"}") - 1)
                           if m[1] != b"comment" else _spaces(m), text)  # fmt: skip
    return text, _DEFINITION.sub(_spaces, hollow)


def _uncommented(data: bytes) -> bytes:
    return re.sub(rb"(?<!\\)((?:\\\\)*)%[^\r\n]*", lambda m: m[1] + b" " * (len(m[0]) - len(m[1])), data)


def count(folder: Path, main: str) -> Count:
    """What regular expressions find in `main` and the files it reads."""
    result, todo, seen = Count(), [main], set()
    while todo:
        name = todo.pop()
        path = folder / name
        if name in seen or not path.is_file() or path.stat().st_size > 20_000_000:
            continue
        seen.add(name)
        _, text = _read(path)
        begin = text.find(rb"\begin{document}") + 1 if name == main else 0
        end = text.find(rb"\end{document}", begin) if name == main else -1
        body = b" " * begin + text[begin : end if end >= 0 else len(text)]
        result.sections |= {(name, m.start()) for m in _HEADING.finditer(body)}
        result.equations |= {(name, m.start()) for m in _EQUATION.finditer(body)}
        result.algorithms |= {(name, m.start()) for m in _ALGORITHM.finditer(body)}
        result.keys |= {
            key.strip() for m in _CITE.finditer(body) for key in re.sub(rb"\s+", b" ", m[1]).split(b",") if key.strip()
        }
        result.labels |= {re.sub(rb"\s+", b" ", m[1]).strip() for m in _LABEL.finditer(body)}
        for found in _INPUT.finditer(text):
            target = (
                (found[1] or found[2] or (found[3] or b"") + (found[4] or b"")).decode("utf-8", "replace").strip('"')
            )
            base = Path(main).parent
            todo += [(base / file).as_posix() for file in (target, target + ".tex") if (folder / base / file).is_file()]
    result.labels.discard(b"")
    return result
