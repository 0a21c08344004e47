"""Running variants of a block in one sandbox run, and reading back only what the supervisor inside has signed."""

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from agents.code.mutants import Raised
from agents.execution.environments import Environment, mounts, variables
from agents.execution.sandbox import Backend, LimitName, Limits, Result, RunSpec, Sandbox

__all__ = ["FILE", "Batch", "Ran", "Variant", "run_variants"]

FILE = "<block>"
"""The script's file in the frames of an exception."""

INSIDE = ("processes.py", "run_blocks.py", "run_one.py")
MIB = 1024 * 1024
DISK = 512 * MIB
OUTPUT = 16 * MIB
ISOLATED: frozenset[Backend] = frozenset({"docker", "bubblewrap"})
SCRATCH = ["/tmp", "/dev/shm"]  # noqa: S108 -- the sandbox's own, emptied between runs where it is one
OFFLINE = dict.fromkeys(("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE"), "1")
"""No sandbox has a network; without these, Hugging Face's libraries take minutes to find that out."""
STARTING, LOADING = 20.0, 60.0
"""Seconds for the interpreter and the cleaning between runs, and for the preloaded modules."""
FULL_LOG, SHORT_LOG = 256_000, 8_000


@dataclass(frozen=True)
class Variant:
    """A script to run: `text`, the line where its test starts, and the seconds it may take."""

    text: str
    test_line: int
    seconds: float
    full_log: bool = False


@dataclass(frozen=True)
class Ran:
    """What came of one variant.

    `ended` says that its last statement was reached, `check` that an assertion of its test ended it. `raised` is the
    exception that did; `exit` says that it was an exit with a failure's code. `limit` is what ended it from outside,
    "wall" when its own time was over. `exit_code` and `signal` are its process's; `seconds` wall time. `lost` says that
    nothing more is known of it: the supervisor inside did not live to tell.
    """

    ended: bool
    exit_code: int | None
    signal: int | None
    limit: LimitName | None
    seconds: float
    log: str
    check: bool = False
    raised: Raised | None = None
    exit: bool = False
    lost: bool = False

    @property
    def passed(self) -> bool:
        """Whether it ran to its very end and its process said 0."""
        return self.ended and self.exit_code == 0 and self.signal is None and self.limit is None


@dataclass(frozen=True)
class Batch:
    """The variants that were run, in order and perhaps not all of them, and the sandbox's own result."""

    runs: tuple[Ran, ...]
    result: Result


def run_variants(
    variants: Sequence[Variant],
    environment: Environment,
    sandbox: Sandbox,
    *,
    total: float,
    memory: int,
    preload: Sequence[str] = (),
    hash_seed: int = 0,
) -> Batch:
    """Run `variants` one after the other in one sandbox, each in a process and in folders of its own.

    `memory` is what all of it may have, in bytes. `preload` are modules that are imported once and shared by forking. A
    first variant that does not pass is the only one that is run; after `total` seconds no other is begun; what breaks
    the supervisor inside (killing it, a limit of the whole sandbox) ends the list early. Raises SandboxError if the
    sandbox can't be started.
    """
    key = secrets.token_bytes(32)
    task = {
        "runs": [
            {
                "text": v.text,
                "test_line": v.test_line,
                "seconds": v.seconds,
                "log": FULL_LOG if v.full_log else SHORT_LOG,
            }
            for v in variants
        ],
        "preload": list(preload),
        "scratch": SCRATCH if sandbox.name in ISOLATED else [],
        "memory": memory,
        "total": total,
    }
    runs = min(total + 2 * max(v.seconds for v in variants), 2 * sum(v.seconds for v in variants))
    wall = STARTING + (LOADING if preload else 0) + runs
    inside = resources.files("agents.code.verify.blocks") / "inside"
    spec = RunSpec(
        argv=("python3", "run_blocks.py"),
        files={name: (inside / name).read_bytes() for name in INSIDE},
        read_only=mounts(environment),
        environment={**variables(environment), **OFFLINE, "PYTHONHASHSEED": str(hash_seed)},
        python=environment.python,
        stdin=key + json.dumps(task).encode("ascii"),
        limits=Limits(wall=wall, memory=memory, disk=DISK, output=OUTPUT),
        outputs=(),
    )
    result = sandbox.run(spec)
    return Batch(tuple(_signed(result.stdout, key, len(variants))), result)


def _signed(stdout: str, key: bytes, most: int) -> list[Ran]:
    """The lines that bear the right keyed hash, as long as they come in order."""
    found: list[Ran] = []
    for line in stdout.split("\n"):
        mark, _, rest = line.partition(" ")
        right = hashlib.blake2b(rest.encode("utf-8"), key=key).hexdigest()
        number, _, told = rest.partition(" ")
        if not hmac.compare_digest(mark.encode("utf-8"), right.encode()) or number != str(len(found)):
            continue
        record = json.loads(told)
        found.append(_ran(record))
    return found[:most]


def _ran(record: dict[str, Any]) -> Ran:
    """A record of the supervisor; what in it comes from the block's own process is taken for no more than text."""
    types = tuple(str(name) for name in record.get("types", ()))
    frames = tuple((str(file), int(line)) for file, line in record.get("frames", ()))
    return Ran(
        ended=record["ended"] is True,
        exit_code=record["status"],
        signal=record["signal"],
        limit="wall" if record["late"] else None,
        seconds=record["seconds"],
        log=record["log"],
        check=record.get("check") is True,
        raised=Raised(types, str(record.get("message", "")), frames) if types else None,
        exit=record.get("exit") is True,
    )
