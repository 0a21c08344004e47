"""Title, authors and abstract, out of the many ways in which classes have them written."""

import re

from ingest.latex import names
from ingest.latex.detex import readable
from ingest.latex.events import Event, Pairs
from ingest.latex.flat import Flat
from ingest.latex.lexer import Lexer
from ingest.latex.macros import Macros

__all__ = ["abstract_of", "authors_of", "title_of", "title_page_of"]

_NOTES = re.compile(
    r"\\(?:thanks|footnote|titlenote|subtitlenote|authornote|footnotemark|footnotetext|tnotemark)\*?(?![a-zA-Z])"
)
_PDF_TITLE = re.compile(r"pdftitle\s*=\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_ABSTRACT = re.compile(r"\\begin\s*\{abstract\}(.{20,}?)\\end\s*\{abstract\}", re.DOTALL)
_ABSTRACT_NAME = re.compile(r"\\abstractname\s*\}?\s*\{([^{}]*)\}")
_BLOCK = re.compile(r"\\(?:and|And|AND|newauthor|altauthor)(?![a-zA-Z])")
_LINE = re.compile(r"\\\\(?:\[[^\]]*\])?|\\newline(?![a-zA-Z])|\r?\n\s*\r?\n")
_GAP = re.compile(r"\\q?quad(?![a-zA-Z])|\\hfill(?![a-zA-Z])|\\hspace\*?\{[^}]*\}|\\IEEEauthorrefmark")
_FIELDS = re.compile(
    r"\\(?:affil|affiliation|affiliations|address|addr|email|institute|institution|orcid|orcidlink|orcidID|inst|authorrefmark"
    r"|IEEEauthorrefmark|IEEEauthorblockA|textsuperscript|thanks|footnotemark|corref|fnref|cortext|authormark|href|url"
    r"|ead|Letter|comma|textsubscript|altaffilmark|affmark|samethanks|hspace|vspace|texttt|correspondingauthor|mailto)\*?(?![a-zA-Z])"
)
_NAME_FIELD = re.compile(
    r"\\(?:name|fnm|sur|IEEEauthorblockN|authorname|textbf|bf|bfseries|textsc|rm|large|Large|normalsize)\*?(?![a-zA-Z])"
)
_SMALL = re.compile(r"\\(?:it|itshape|em|tt|ttfamily|small|footnotesize|textit|emph|sl)(?![a-zA-Z])")
_SUPERSCRIPT = re.compile(r"\$[^$]*\$|\^\{[^}]*\}|\^.")
_NOT_NAMES = re.compile(
    r"universit|institut|departm|school|college|laborator|research|inc\b|corp|google|facebook|microsoft|openai"
    r"|deepmind|nvidia|amazon|center|centre|faculty|academy|\bUSA\b|\bChina\b|equal contribution|anonymous|@|http|\d"
    r"|e-?mail|address|\bof\b|hospital|division|group\b|society|foundation|ltd|gmbh",
    re.IGNORECASE,
)
_NAME = re.compile(r"[^\W\d_][\w.'’ʼ‐-]*(?:\s+(?:[^\W\d_][\w.'’ʼ‐-]*|\([^)]*\))){0,5}")


def _clean(text: str, macros: Macros) -> str:
    return readable(macros.expand(text))


def _without_groups(text: str, commands: re.Pattern[str]) -> str:
    """`text` without these commands and their arguments."""
    lexer, parts, at = Lexer(text), [], 0
    for found in commands.finditer(text):
        if found.start() < at:
            continue
        parts.append(text[at : found.start()])
        at = found.end()
        while option := lexer.bracket(at):
            at = option.after
        if group := lexer.group(at):
            at = group.after
    return "".join([*parts, text[at:]])


def title_of(events: list[Event], flat: Flat, macros: Macros) -> str:
    """The first title that says something; else the one given to the PDF."""
    for event in events:
        if event.kind == "front" and event.name in names.TITLES:
            title = _clean(_without_groups(macros.expand(event.values[0]), _NOTES), macros)
            if re.search(r"\w", title):
                return title
    found = _PDF_TITLE.search(flat.scan)
    return _clean(found[1], macros) if found else ""


def title_page_of(events: list[Event], macros: Macros) -> tuple[str, ...]:
    """What the commands of the title page print, notes and the addresses of links included."""
    said = (macros.expand(value) for event in events if event.kind == "front" for value in event.values)
    return tuple(text for value in said if (text := readable(value.replace("\\thanks", "\\footnote"), links=True)))


def authors_of(events: list[Event], macros: Macros) -> tuple[str, ...]:
    """Names, in order, without affiliations, addresses and marks, as far as these can be told apart."""
    found: dict[str, None] = {}
    for event in events:
        if event.kind != "front" or event.name not in names.AUTHORS:
            continue
        several = event.name == "addauthor"
        text = " ".join(event.values[:2]) if several else event.values[0]
        found.update(dict.fromkeys(_names(macros.expand(text))))
    return tuple(found)


def _names(text: str) -> list[str]:
    blocks = Lexer(text)
    fields = list(re.finditer(r"\\(?:IEEEauthorblockN|name|authorname)(?![a-zA-Z])", text))
    if fields:
        inner = [blocks.value(group) for field in fields if (group := blocks.group(field.end()))]
        text = " \\and ".join(inner) if inner else re.sub(r"\\name(?![a-zA-Z])", r" \\and ", text)
    text = re.sub(r"\\addr(?![a-zA-Z]).*?(?=\\and|\\AND|\Z)", "", text, flags=re.DOTALL | re.IGNORECASE)
    text = re.sub(r"\\email\s+[^\s{}\\]+", " ", text)
    text = _SUPERSCRIPT.sub(" ", _without_groups(text, _FIELDS))
    return [name for block in _BLOCK.split(text) for name in _of_block(block)]


def _of_block(block: str) -> list[str]:
    """Names stand in the first line, and in the lines after it as long as those list several names and nothing else."""
    result: list[str] = []
    for line in _LINE.split(block):
        if not line.strip():
            continue
        parts = [part for part in _GAP.split(line) if part.strip()]
        names_ = [name for part in parts for name in _of_part(part)]
        if result and (len(names_) < 2 or _NOT_NAMES.search(line)):
            break
        result += names_
    return result


def _of_part(part: str) -> list[str]:
    if _SMALL.search(part) and not _NAME_FIELD.search(part):
        return []
    plain = readable(part).translate(str.maketrans("*†‡§¶♯", "      "))
    result = []
    for one in re.split(r",|;|\band\b|&|·|•", plain):
        name = re.sub(r"^\d+\s|\s+", " ", one.strip()).strip(" .,;:")
        name = name + "." if re.search(r"\b(?:Jr|Sr)$", name) else name
        if " " in name and 4 <= len(name) <= 60 and _NAME.fullmatch(name) and not _NOT_NAMES.search(name):
            result.append(name)
    return result


def abstract_of(events: list[Event], pairs: Pairs, flat: Flat, macros: Macros) -> str:
    """The abstract environment or command; else what a heading called Abstract stands over."""
    for number, event in enumerate(events):
        if event.kind == "begin" and names.starless(event.name) in names.ABSTRACTS and number in pairs.closing:
            renamed = _ABSTRACT_NAME.findall(flat.scan, max(0, event.start - 2_000), event.start)
            if renamed and not re.search(r"abstract|summary", renamed[-1], re.IGNORECASE):
                continue
            text = _clean(flat.text[event.end : events[pairs.closing[number]].start], macros)
            if text:
                return re.sub(r"^\[[^\]]*\]\s*", "", text)
    for event in events:
        if event.kind == "front" and event.name in names.ABSTRACT_COMMANDS:
            text = _clean(" ".join(event.values), macros)
            if len(text) > 20:
                return text
    if "\\abstractname" not in flat.scan and (early := _ABSTRACT.search(flat.scan)):
        return _clean(flat.text[early.start(1) : early.end(1)], macros)
    for number, event in enumerate(events):
        if event.kind == "heading" and _clean(event.values[0], macros).lower().strip(" .:") == "abstract":
            stop = next(
                (e.start for e in events[number + 1 :] if e.kind == "heading" and e.start > event.end), len(flat.text)
            )
            return _clean(flat.text[event.end : stop], macros)
    return ""
