"""What a run was spent on its model: the answers in its steps, and replies that are in the ledger alone."""

from decimal import Decimal

from agents.llm.ledger import ANSWERED, Ledger
from agents.loops.runs import RunFolder

__all__ = ["Spending"]


class Spending:
    """What of a run was spent when its model answered, also on replies that were no answers, and what of that now.

    Tokens and money are those of all replies, `calls` counts answers, `kept` those of them that were not paid by this
    run, `unanswered` the calls that brought none; what nobody knows of these counts as the most that it can be.
    """

    def __init__(self, folder: RunFolder) -> None:
        asked = [step for step in folder.steps() if step.kind == "model"]
        mine = [call for call in Ledger(folder.home / "llm").calls() if call.reserved.run == folder.config.id]
        without = [call.counted for call in mine if call.settled is None or call.settled.outcome != ANSWERED]
        self.calls, self.kept, self.unanswered = len(asked), sum(step.cached for step in asked), len(without)
        self.tokens_in = sum(one.tokens_in for one in (*asked, *without))
        self.tokens_out = sum(one.tokens_out for one in (*asked, *without))
        costs = [Decimal(one.cost) for one in (*asked, *without) if one.cost is not None]
        self.cost = sum(costs, Decimal(0)) if costs else None

    def __str__(self) -> str:
        money = "" if self.cost is None else f", {self.cost:f} of money"
        kept = f", {self.kept} of them out of kept answers" if self.kept else ""
        none = f", {self.unanswered} calls without one" if self.unanswered else ""
        return (
            f"{self.calls} answers of the model{kept}{none}, {self.tokens_in} tokens in, {self.tokens_out} out{money}"
        )
