"""Whether verified code is still the code that was run, hashed anew, and whether its logs are there."""

from collections.abc import Iterator

from pydantic import ValidationError

from kg.results.verdict import VerifiedCode
from kg.store import Store, Transaction
from kg.verdicts.logs import LogStore
from kg.verdicts.models import StoredModule, sha256_of

__all__ = ["altered", "lost_logs"]


def altered(store: Store | Transaction) -> Iterator[tuple[str, str]]:
    """Ids of verified code whose text or module is no longer what was run, and how so.

    Text that an export withheld (for want of a licence) is not there to be compared.
    """
    for code in store.rows(VerifiedCode):
        if code.implementation is not None and code.text_sha256 not in (None, sha256_of(code.implementation)):
            yield code.id, "is called verified, but its text is not the one that was run"
        elif code.module is not None and _module_sha256(code.module) != code.module_sha256:
            yield code.id, "is called verified, but its module is not the one that was run"


def _module_sha256(text: str) -> str:
    try:
        return StoredModule.model_validate_json(text).sha256
    except ValidationError:
        return "no module"


def lost_logs(store: Store | Transaction, logs: LogStore) -> Iterator[tuple[str, str]]:
    """Ids of verified code whose log is missing or damaged on this machine."""
    for code in store.rows(VerifiedCode):
        if code.log is not None and not (logs.path(code.log).exists() and logs.has(code.log)):
            yield code.id, f"the log {code.log} of its execution is missing or damaged here"
