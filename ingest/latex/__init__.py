"""LaTeX sources → `PaperDoc`: flatten with a way back to the bytes, scan, build.

`parse_paper` is the one entrance; `ParsedPaper` what it gives; `section_texts` the readable text of each section,
`texts` all of it piece by piece.
"""

from ingest.latex.flat import Flat
from ingest.latex.parse import parse_paper
from ingest.latex.parsed import ParsedPaper, section_texts, texts

__all__ = ["Flat", "ParsedPaper", "parse_paper", "section_texts", "texts"]
