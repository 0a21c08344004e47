"""The curator's review: what awaits a human word, and what a word does to the graph."""

from kg.review.deciding import Applied, Done, decide, decide_all
from kg.review.items import Action, Item, Other, Word
from kg.review.queue import read_queue

__all__ = ["Action", "Applied", "Done", "Item", "Other", "Word", "decide", "decide_all", "read_queue"]
