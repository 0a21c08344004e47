"""What LaTeX's commands and environments do to the words around them, and how its characters are cut into pieces."""

import re

from ingest.extract.vocabulary import vocabulary

__all__ = [
    "BREAKS", "CITES", "DIMENSION", "DROP", "FLOATS", "GLYPHS", "HEADINGS", "LEX", "MATHS_ENVIRONMENTS",
    "MUTE", "REFS", "STYLES",
]  # fmt: skip

MATHS_ENVIRONMENTS = vocabulary("latex", "maths_environments")
MUTE = vocabulary("latex", "mute")
FLOATS = vocabulary("latex", "floats")
HEADINGS = {
    "part": 0, "chapter": 1, "section": 1, "subsection": 2, "subsubsection": 3, "paragraph": 4, "subparagraph": 5,
}  # fmt: skip
CITES = re.compile(r"(?:[A-Za-z]*[cC]ite[a-zA-Z]*|footcite|nocite|shortcite\w*)\Z")
REFS = vocabulary("latex", "refs")
DROP = {
    "label": 1, "input": 1, "include": 1, "includegraphics": 1, "vspace": 1, "hspace": 1, "url": 1, "bibliography": 1,
    "bibliographystyle": 1, "thispagestyle": 1, "pagestyle": 1, "setlength": 2, "addtolength": 2, "setcounter": 2,
    "addtocounter": 2, "textcolor": 1, "color": 1, "newcommand": 2, "renewcommand": 2, "providecommand": 2, "def": 1,
    "DeclareMathOperator": 2, "newtheorem": 2, "usepackage": 1, "hypersetup": 1, "graphicspath": 1, "captionsetup": 1,
    "phantom": 1, "hphantom": 1, "vphantom": 1, "rule": 2, "raisebox": 1, "resizebox": 2, "scalebox": 1, "href": 1,
    "multicolumn": 2, "hyperlink": 1, "hypertarget": 1, "index": 1, "todo": 1, "author": 1, "affil": 1, "date": 1,
    "thanks": 1, "email": 1, "fontsize": 2, "definecolor": 3, "vskip": 0, "lstset": 1, "colorbox": 1,
    "addcontentsline": 3, "title": 1, "affiliation": 1, "address": 1, "institute": 1, "newenvironment": 3,
    "pdfbookmark": 2, "markboth": 2, "fancyhead": 1, "lhead": 1, "rhead": 1, "icmltitle": 1, "keywords": 1,
}  # fmt: skip
STYLES = {
    "emph": "emph", "textit": "emph", "em": "emph", "it": "emph", "itshape": "emph", "textsl": "emph",
    "textbf": "bold", "bf": "bold", "bfseries": "bold", "textsc": "caps", "texttt": "tt", "tt": "tt", "code": "tt",
    "mathbf": "", "underline": "emph", "enquote": "quote", "defn": "emph", "term": "emph", "newterm": "emph",
}  # fmt: skip
BREAKS = vocabulary("latex", "breaks")
GLYPHS = {"ldots": "…", "dots": "…", "textendash": "–", "textemdash": "—", "ss": "ß", "ae": "æ", "o": "ø", "aa": "å",
           "l": "ł", "textasciitilde": "~", "LaTeX": "LaTeX", "TeX": "TeX", "S": "§"}  # fmt: skip

DIMENSION = re.compile(r"\d*\.?\d+(?:pt|em|ex|cm|mm|in|pc|sp)\Z")

LEX = re.compile(
    r"(?P<par>\n[ \t\r\f\v]*\n\s*)"
    r"|(?P<space>[\s~]+)"
    r"|(?P<command>\\[A-Za-z@]+\*?)"
    r"|(?P<symbol>\\.)"
    r"|(?P<display>\$\$)"
    r"|(?P<math>\$)"
    r"|(?P<open>\{)|(?P<close>\})"
    r"|(?P<abbr>(?:e\.g\.|i\.e\.|cf\.|etc\.|vs\.|et al\.|[Ff]igs?\.|[Ee]qs?\.|[Ss]ecs?\.|[Rr]efs?\.|w\.r\.t\."
    r"|resp\.|approx\.)(?=\W))"
    r"|(?P<word>[^\W_]+(?:(?:['’/+]|-(?!-)|(?<=\d)[.,](?=\d))[^\W_]+)*(?:\+\+)?)"
    r"|(?P<dash>-{2,3})"
    r"|(?P<punct>.)",
    re.DOTALL,
)
