"""Techniques by a language model's judgement: asked once a paper, and held against its text.

The way of a paper: `numbering` reads it into `passages`, `portions` writes them for the prompt, `reply` is the form of
the answer. `checks` keeps of each entry what is true (`quotes` finds the words, `drops` says what was not taken),
`coverage` what is passed over, `placing` makes the tree, `merging` joins it with the structural one, `enriching` adds
what else the paper says. `extractor` is the whole of it.
"""

from ingest.extract.judged.extractor import JudgedExtractor, Judgement

__all__ = ["JudgedExtractor", "Judgement"]
