"""The ingest that is killed: a few papers, one of them in two versions and at two commits, then the concepts.

``python crash_child.py URI USER`` reads the password from stdin and, after it, the number of the statement at which
the process kills itself with SIGKILL: just before it is sent if the number is even, just after its answer if odd.
"""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "store"))

from pydantic import SecretStr
from store_records import paper

from kg.concepts import refresh_concepts
from kg.config import Settings
from kg.opening import open_store
from kg.store import Store, Transaction
from kg.write import write_paper


def ingest(store: Store) -> None:
    """Everything that an uninterrupted run does."""
    for record in (paper(1), paper(2, shared_repository=True), paper(3, shared_repository=True)):
        write_paper(store, record)
    write_paper(store, paper(1, version=2, commit="c2"))
    refresh_concepts(store)


def counting(run: Callable[..., Any], at: Callable[[int, bool], None]) -> Callable[..., Any]:
    """`run`, which tells `at` the number of each statement before and after it."""
    count = 0

    def counted(self: Transaction, name: str, /, **params: Any) -> Any:
        nonlocal count
        count += 1
        at(count, False)
        rows = run(self, name, **params)
        at(count, True)
        return rows

    return counted


def main() -> None:
    """Ingest until the statement on stdin, and die there."""
    uri, user = sys.argv[1:]
    password, point = sys.stdin.read().split("\n")
    number, after = int(point) // 2, int(point) % 2 == 1

    def die(count: int, done: bool) -> None:
        if (count, done) == (number, after):
            os.kill(os.getpid(), signal.SIGKILL)

    Transaction.run = counting(Transaction.run, die)  # type: ignore[method-assign]
    settings = Settings().replace(neo4j__uri=uri, neo4j__username=user, neo4j__password=SecretStr(password))
    with open_store(settings) as store:
        ingest(store)


if __name__ == "__main__":
    main()
