"""A plan as a corpus file that `xkg ingest corpus` reads: chosen papers with their reasons, the others as remarks."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ingest.corpus.models import Candidate, CorpusPlan

__all__ = ["plan_toml"]


def plan_toml(plan: CorpusPlan, beside: Path | None = None) -> str:
    """The text of the file. `[name.plan]` of a paper holds why it is in it and its estimate; ingest passes it by.

    Paths are written as seen from the folder `beside`, if it is given.
    """
    return "\n".join(_lines(plan, beside)) + "\n"


def _lines(plan: CorpusPlan, beside: Path | None) -> Iterator[str]:
    yield _remark(f"A corpus for {plan.target}: {plan.title}")
    if plan.techniques:
        yield _remark(f"Searched for: {', '.join(plan.techniques)}")
    for candidate in plan.candidates:
        if candidate.chosen:
            yield from ("", *_table(candidate, beside))
    out = [candidate for candidate in plan.candidates if not candidate.chosen]
    if out:
        yield "\n# Left out:"
    for candidate in out:
        why = "; ".join(f"{check.rule} {check.state}: {check.detail}" for check in candidate.against)
        yield _remark(f"{candidate.paper} {candidate.title!r} ({candidate.source}): {why}")


def _table(candidate: Candidate, beside: Path | None) -> Iterator[str]:
    yield _remark(candidate.title)
    yield f"[{_key(candidate.slug)}]"
    for name in ("paper", "main", "repo", "arxiv", "origin"):
        if value := getattr(candidate, name):
            if beside and name in ("paper", "repo") and Path(value).is_absolute():
                value = os.path.relpath(value, beside.resolve())
            yield f"{name} = {_value(value)}"
    yield f"[{_key(candidate.slug)}.plan]"
    said: dict[str, Any] = {"source": candidate.source, "score": candidate.score, "technique": candidate.technique}
    if candidate.reference:
        said["reference"] = candidate.reference.model_dump(exclude={"title", "arxiv", "score"}, exclude_none=True)
    said["checks"] = {check.rule: f"{check.state}: {check.detail}" for check in candidate.checks}
    if candidate.estimate:
        said["estimate"] = candidate.estimate.model_dump(mode="json", exclude_none=True)
    yield from (f"{name} = {_value(value)}" for name, value in said.items() if value not in ("", None))


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _text(name)


def _text(value: str) -> str:
    """A basic string: JSON's escapes are TOML's, but for DEL."""
    plain = value.encode("utf-8", "replace").decode()
    return json.dumps(plain, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(name)} = {_value(item)}" for name, item in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _remark(text: str) -> str:
    """One comment, whatever line breaks or control characters a title has."""
    return "# " + " ".join("".join(c if c.isprintable() else " " for c in text).split())
