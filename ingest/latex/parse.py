"""LaTeX folder in, `ParsedPaper` out."""

import hashlib
import re
from pathlib import Path

from ingest.latex.flat import Flat
from ingest.latex.flatten import flatten
from ingest.latex.folder import Folder
from ingest.latex.mainfile import choose_main
from ingest.latex.parsed import ParsedPaper
from ingest.latex.source import declared_codec
from kg.errors import InputError
from kg.models.paper import Algorithm, Equation, PaperDoc, Paragraph, Section, SourceFile

__all__ = ["parse_paper"]

_LEVELS = {
    "part": 0,
    "chapter": 1,
    "section": 1,
    "subsection": 2,
    "subsubsection": 3,
    "paragraph": 4,
    "subparagraph": 5,
}
_HEADING = re.compile(
    r"\\(part|chapter|section|subsection|subsubsection|paragraph|subparagraph)(\*?)\s*(?:\[[^\]]*\])?\s*\{((?:[^{}]|\{[^{}]*\})*)\}"
)
_EQUATION = re.compile(
    r"\\begin\{((?:equation|align|gather|multline|eqnarray|flalign|alignat)\*?)\}.*?\\end\{\1\}|\\\[.*?\\\]", re.DOTALL
)
_ALGORITHM = re.compile(r"\\begin\{(algorithm\*?|algorithmic|lstlisting|minted|verbatim)\}.*?\\end\{\1\}", re.DOTALL)


def _readable(latex: str) -> str:
    text = re.sub(r"\\[a-zA-Z]+\*?|[{}$~]", " ", latex)
    return re.sub(r"\s+", " ", text).strip()


def _sections(flat: Flat, begin: int, end: int) -> list[Section]:
    found = list(_HEADING.finditer(flat.scan, begin, end))
    bump = any(match[1] == "chapter" for match in found)
    sections: list[Section] = []
    open_: list[Section] = []
    counters = [0] * 8
    for number, match in enumerate(found):
        level = _LEVELS[match[1]] + (bump and match[1] not in ("part", "chapter"))
        stop = next((m.start() for m in found[number + 1 :] if _LEVELS[m[1]] <= _LEVELS[match[1]]), end)
        while open_ and open_[-1].level >= level:
            open_.pop()
        printed = ""
        if not match[2]:
            counters[level] += 1
            counters[level + 1 :] = [0] * (7 - level)
            printed = ".".join(map(str, counters[1 : level + 1])) if level <= 3 else ""
        span = flat.span(match.start(), stop)
        section = Section(
            id=f"s/{number}", file=span.file, start=span.start, end=span.end, number=printed, title=_readable(match[3]),
            level=level, parent=open_[-1].id if open_ else None,
        )  # fmt: skip
        sections.append(section)
        open_.append(section)
    return sections


def parse_paper(folder: Path, main: str | None = None) -> ParsedPaper:
    """Parse the paper in `folder`; `main` names its root .tex file, which is guessed otherwise.

    Raises InputError for a missing folder or one without TeX. A broken document never raises: it gives what can be had,
    and `doc.warnings` name the places.
    """
    if not folder.is_dir():
        raise InputError("the source folder does not exist", where=str(folder), remedy="check the path")
    files = Folder(folder)
    chosen = choose_main(files, main)
    files = Folder(folder, declared_codec(files.read(chosen).data))
    flat, warnings = flatten(files, chosen)
    begin = max(0, flat.scan.find("\\begin{document}"))
    end = flat.scan.find("\\end{document}", begin)
    end = len(flat.scan) if end < 0 else end
    sections = _sections(flat, begin, end)
    starts = [(flat.locate(section.file, section.start) or 0, section.id) for section in sections]

    def place(start: int, stop: int, kind: str, number: int) -> dict[str, object]:
        span = flat.span(start, stop)
        inside = next((name for at, name in reversed(starts) if at <= start), None)
        return {"id": f"{kind}/{number}", "section": inside, **span.model_dump()}

    equations = [
        Equation.model_validate(
            {**place(m.start(), m.end(), "eq", n), "latex": flat.text[m.start() : m.end()], "env": m[1] or "\\["}
        )
        for n, m in enumerate(_EQUATION.finditer(flat.scan, begin, end), 1)
    ]
    algorithms = [
        Algorithm.model_validate(
            {**place(m.start(), m.end(), "alg", n), "latex": flat.text[m.start() : m.end()], "env": m[1]}
        )
        for n, m in enumerate(_ALGORITHM.finditer(flat.scan, begin, end), 1)
    ]
    paragraphs = [
        Paragraph.model_validate({**place(m.start(), m.end(), "p", n), "text": _readable(m[0])})
        for n, m in enumerate(re.finditer(r"(?:[^\s].*?)(?=\n[ \t\r]*\n|\Z)", flat.scan[:end], re.DOTALL), 1)
        if m.start() >= begin
    ]
    title = re.search(r"\\title\*?\s*(?:\[[^\]]*\])?\s*\{((?:[^{}]|\{[^{}]*\})*)\}", flat.scan)
    abstract = re.search(r"\\begin\{abstract\}(.*?)\\end\{abstract\}", flat.scan, re.DOTALL)
    doc = PaperDoc(
        main=chosen,
        title=_readable(title[1]) if title else "",
        abstract=_readable(abstract[1]) if abstract else "",
        files=tuple(SourceFile(path=f.path, sha256=f.sha256, encoding=f.encoding) for f in flat.files),
        source_sha256=hashlib.sha256(
            "".join(f"{f.path}\0{f.sha256}\0" for f in sorted(flat.files, key=lambda f: f.path)).encode()
        ).hexdigest(),
        sections=tuple(sections),
        paragraphs=tuple(paragraphs),
        equations=tuple(equations),
        algorithms=tuple(algorithms),
        warnings=tuple(warnings),
    )
    return ParsedPaper(doc, flat, folder)
