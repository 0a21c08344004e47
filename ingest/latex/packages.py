"""Definitions in the paper's own style files, as far as they lie in its folder."""

import re
from pathlib import PurePosixPath

from ingest.latex import names
from ingest.latex.flat import Flat
from ingest.latex.folder import Folder
from ingest.latex.lexer import Lexer
from ingest.latex.macros import Macros
from ingest.latex.scan import Scanner

__all__ = ["load_packages"]

MAX_PACKAGES = 30
MAX_CHARS = 400_000
_USE = re.compile(r"\\(?:usepackage|RequirePackage)\s*(?:\[[^\[\]]*\])?\s*\{([^{}]*)\}")
_WELL_KNOWN = names.word_set(
    """
    natbib fancyhdr algorithm algorithmic algpseudocode algorithmicx amsmath amssymb amsthm graphicx hyperref
    url times booktabs subfigure caption color xcolor geometry titlesec enumitem cleveref microtype biblatex
    listings minted tikz pgfplots multirow array verbatim aas_macros epsfig wrapfig float
    """
)


def load_packages(folder: Folder, flat: Flat, main: str, macros: Macros) -> None:
    """Read what the style files of the folder define; those of the TeX distribution are known by what they mean."""
    base = PurePosixPath(main).parent.as_posix()
    names = [name.strip() for found in _USE.findall(flat.scan) for name in found.split(",")]
    for name in list(dict.fromkeys(names))[:MAX_PACKAGES]:
        if name in _WELL_KNOWN:
            continue
        try:
            path = folder.resolve(name, (base, ""), (".sty",))
            if path and len(folder.read(path).text) <= MAX_CHARS:
                scan = folder.masked(path).scan
                Scanner(Lexer(scan), macros, begin=len(scan)).run()
        except OSError:
            continue
