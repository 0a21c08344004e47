"""What a verdict rests on beside the code itself, as hashes that a later ingest can compare."""

import json
from collections.abc import Iterable, Mapping, Sequence

from kg.verdicts.models import sha256_of

__all__ = ["as_basis", "block_basis", "differences"]

SAYS = {
    "needs": "code that it needs has changed since",
    "tests": "the tests have changed since",
    "requirements": "the requirements have changed since",
}
"""What a person reads when a part of the basis is no longer what it was."""


def as_basis(parts: Mapping[str, str]) -> tuple[str, ...]:
    """A basis as a node keeps it: "<part> <sha256>", sorted."""
    return tuple(f"{name} {sha256}" for name, sha256 in sorted(parts.items()))


def block_basis(test: str, requirements: Sequence[str]) -> tuple[str, ...]:
    """The basis of a block that came with its test: nothing else takes part when it is run."""
    return as_basis({"requirements": sha256_of(json.dumps(list(requirements))), "tests": sha256_of(test)})


def differences(before: Iterable[str], now: Iterable[str]) -> tuple[str, ...]:
    """What differs between two bases, in words; empty if nothing does."""
    former, present = (
        {name: rest for name, _, rest in (item.partition(" ") for item in basis)} for basis in (before, now)
    )
    return tuple(
        SAYS.get(name, f"its {name} have changed since")
        for name in sorted(former.keys() | present.keys())
        if former.get(name) != present.get(name)
    )
