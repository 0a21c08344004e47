"""The judged ingest that is killed: ``judged_child.py URI USER BASE_URL FOLDER POINT``, the password on stdin.

It ingests the paper in FOLDER and kills itself at the POINT-th moment: just before or after a write to the disk (an
answer, the ledger, a stage's result) or a statement to the graph. At its end it prints how many moments there were.
"""

import os
import signal
import sys
from decimal import Decimal
from pathlib import Path

from pydantic import SecretStr

sys.path.append(str(Path(__file__).parent))
from crash_child import counting

from ingest.pipeline.job import Job
from ingest.pipeline.pipeline import PaperReport, ingest
from kg.config import LlmPrice, LlmProfile, Settings
from kg.opening import open_store
from kg.store import Store, Transaction


def judged_settings(settings: Settings, base_url: str, folder: Path) -> Settings:
    """Settings with a model, and all that is kept in a folder."""
    profile = LlmProfile(
        model="scripted", base_url=base_url, timeout=20, max_output_tokens=2000, replies=folder / "replies"
    )
    return settings.replace(
        home=folder / "home", network__retry_wait=0.01, llm__profile="it", llm__profiles={"it": profile},
        llm__prices={"scripted": LlmPrice(input=Decimal(1), output=Decimal(1))},
    )  # fmt: skip


def judged_ingest(settings: Settings, store: Store, folder: Path) -> PaperReport:
    """The paper in `folder` and its code."""
    job = Job(name="tide", slug="tide", paper=str(folder / "scene/paper"), repo=str(folder / "scene/code"), run="run")
    return ingest([job], settings, store).papers[0]


def main() -> None:
    uri, user, base_url, folder, point = sys.argv[1:]
    moment, sync = 0, os.fsync

    def pass_one(*_: object) -> None:
        nonlocal moment
        if moment == int(point):
            os.kill(os.getpid(), signal.SIGKILL)
        moment += 1

    def counted(descriptor: int) -> None:
        pass_one()
        sync(descriptor)
        pass_one()

    password = SecretStr(sys.stdin.read())
    settings = Settings().replace(neo4j__uri=uri, neo4j__username=user, neo4j__password=password)
    with open_store(settings) as store:
        os.fsync = counted
        Transaction.run = counting(Transaction.run, pass_one)  # type: ignore[method-assign]
        report = judged_ingest(judged_settings(settings, base_url, Path(folder)), store, Path(folder))
    assert report.status == "ingested", report.error
    print(moment)


if __name__ == "__main__":
    main()
