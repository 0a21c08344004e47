"""A process that spends: ``ledger_child.py FOLDER`` calls up to the limit, says how often; ``… die`` dies in one."""

import os
import signal
import sys
from pathlib import Path

from agents.llm.errors import BudgetExceeded
from agents.llm.ledger import Ledger, Usage
from kg.config import LlmSettings

MOST = Usage(tokens_in=60, tokens_out=60)


def main() -> None:
    ledger, limits, made = Ledger(Path(sys.argv[1])), LlmSettings(run_tokens=6100), 0
    try:
        while True:
            one = ledger.reserve(limits, MOST, key="k", run="r", stage="s", paper=None, model="m", prompt="x")
            if "die" in sys.argv:
                os.kill(os.getpid(), signal.SIGKILL)
            ledger.settle(one, limits, "answered", Usage(tokens_in=50, tokens_out=50))
            made += 1
    except BudgetExceeded:
        print(made)


if __name__ == "__main__":
    main()
