"""What of a model's answer is not believed, and why: the vocabulary of what the checks find."""

from enum import StrEnum

from kg.models.paper import Model

__all__ = ["Drop", "Reason"]


class Reason(StrEnum):
    """Why something was dropped. The value is told to the model when it is asked again."""

    NAME_LENGTH = "the name is empty or has more than six words"
    NAME_SYMBOLS = "the name holds symbols that are not part of a name in the paper"
    NAME_UNSUPPORTED = "its quotes and evidence together do not have all words of the name"
    DUPLICATE = "another entry has this name"
    TOO_MANY = "there are more entries or parts than were asked for"
    QUOTE_MISSING = "the quote occurs in no passage, or in several and not in the one named"
    QUOTE_SHORT = "the quote is too short to define anything"
    DEFINITION_MISSING = "no quote defines it"
    DEFINITION_TWICE = "the definition serves another entry already"
    PLACE_UNKNOWN = "there is no passage of this id"
    WORDS_FOREIGN = "these words are not the paper's"
    PROPOSED_UNSUPPORTED = "no quoted sentence says that the authors do it themselves (we, our, this paper)"
    NUMBER_UNSUPPORTED = "the number is neither in a quote nor in a table that is given as evidence"
    CLAIM_MISSING = "a finding says what it is about"
    PARENT_UNKNOWN = "the parent is no entry"
    PARENT_UNRELATED = "no section of the parent encloses or mentions it"
    CYCLE = "it is its own ancestor"
    HEADING_UNCOVERED = "this heading is neither covered by an entry nor excused"
    ALGORITHM_UNCOVERED = "this algorithm is neither evidence of an entry nor excused"
    ANSWER_THIN = "fewer than half of its entries hold: what it says and excuses is left, and structure speaks alone"
    EQUATION_UNCOVERED = "this equation is neither evidence of an entry nor excused"


class Drop(Model):
    """Something that was not taken: of the entry called `entry`, or the passage of that id; `detail` is what was said.

    `whole` tells that the entry itself was dropped; else it stays without what failed.
    """

    reason: Reason
    entry: str
    detail: str = ""
    whole: bool = False
