"""A process that asks three questions: ``asking_child.py BASE_URL FOLDER POINT``.

It kills itself at the POINT-th half of a write to the disk: just before it if POINT is even, just after if odd.
"""

import os
import signal
import sys
from pathlib import Path

from asking import add, scripted

from agents.llm import LLM

QUESTIONS = ("number 1", "number 2", "number 3")


def ask_all(llm: LLM) -> None:
    for text in QUESTIONS:
        add(llm, text)


def main() -> None:
    point, sync, done = int(sys.argv[3]), os.fsync, 0

    def counted(descriptor: int) -> None:
        nonlocal done
        if done == point:
            os.kill(os.getpid(), signal.SIGKILL)
        sync(descriptor)
        if done + 1 == point:
            os.kill(os.getpid(), signal.SIGKILL)
        done += 2

    os.fsync = counted
    ask_all(LLM(scripted(sys.argv[1], Path(sys.argv[2])), run="run"))


if __name__ == "__main__":
    main()
