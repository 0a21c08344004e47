"""`xkg llm`: whether a language model works here, and what models have cost."""

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import click
from pydantic import BaseModel, Field

from kg.checks import Check
from kg.cli.common import emit, json_option
from kg.cli.doctor import report
from kg.config import LlmProfile, Settings, load_settings

__all__ = ["Sighting", "llm_doctor", "llm_spent"]

WORDS = ("kestrel", "heron", "wren", "lapwing", "dunlin")
"""What the model is shown."""
GROUPS = ("run", "stage", "paper", "model")


class Sighting(BaseModel):
    """What a model has seen in a list of words."""

    count: int = Field(description="How many words the list has.")
    last: str = Field(description="The last word of the list.")
    common: str = Field(description="What the words have in common, in a sentence.")


@click.command()
@click.option("--profile", help="The profile to try; without it the default one.")
@json_option
def llm_doctor(profile: str | None, as_json: bool) -> None:
    """Make one real call and say what works: form, streaming, usage, speed.

    The call is made as the profile says and goes into the ledger; no kept answer stands in for it. Exit code 3 if the
    model does not answer as it must.
    """
    report(_checks(load_settings(), profile), as_json=as_json)


def _checks(settings: Settings, name: str | None) -> Iterator[Check]:
    from agents.llm import LLM, BrokenReply, Fault, ModelError, ProfileError
    from agents.llm.profiles import find_profile, place, replies_folder

    try:
        name, profile = find_profile(settings, name)
    except ProfileError as error:
        yield Check(name="profile", state="missing", detail=error.what, mend=error.remedy)
        return
    key = f", key from {profile.api_key_env}" if profile.api_key_env else ", no key"
    detail = f"{name}: {profile.model} by {profile.provider} at {place(profile)}{key}"
    yield Check(name="profile", state="ok", detail=detail)
    if profile.replay == "replay":
        yield _replies(replies_folder(settings, profile))
        return
    fresh = settings.replace(llm__profiles={name: profile.model_copy(update={"replay": "off"})})
    try:
        answer = LLM(fresh, name).ask("doctor", {"least": 5, "words": WORDS}, Sighting, stage="doctor")
    except ProfileError as error:
        yield Check(name="key", state="missing", detail=error.what, mend=error.remedy)
        return
    except ModelError as error:
        form = isinstance(error, BrokenReply) and error.fault in {Fault.NOT_JSON, Fault.WRONG_SCHEMA}
        mend = 'try another `structured` in its profile: "json_object", or "prompt"' if form else error.remedy
        yield Check(name="form" if form else "answer", state="missing", detail=error.what, mend=mend)
        return
    sighting, usage = answer.value, answer.usage
    yield Check(name="form", state="ok", detail=f"{profile.structured}: the reply is a valid {Sighting.__name__}")
    if (sighting.count, sighting.last.strip().lower()) == (len(WORDS), WORDS[-1]):
        yield Check(name="reading", state="ok", detail="what it says of five words is right")
    else:
        detail = f"it sees {sighting.count} words of {len(WORDS)}, the last being {sighting.last!r}: don't expect much"
        yield Check(name="reading", state="absent", detail=detail)
    if profile.stream:
        yield Check(name="streaming", state="ok", detail=f"the first text after {answer.first:.2f} s")
    else:
        yield Check(name="streaming", state="absent", detail="off", mend="`stream = true` in its profile")
    tokens = f"{usage.tokens_in} tokens in, {usage.tokens_out} out"
    told = Check(name="usage", state="ok", detail=f"{tokens}, as the server tells")
    guess = Check(name="usage", state="absent", detail=f"{tokens}, estimated by length: the server does not tell")
    yield guess if usage.estimated else told
    if answer.cost is None:
        mend = f'[llm.prices."{profile.model}"] with input and output, per million tokens'
        yield Check(name="price", state="absent", detail="none: tokens alone are counted", mend=mend)
    else:
        yield Check(name="price", state="ok", detail=f"this call cost {answer.cost:f}")
    yield Check(name="speed", state="ok", detail=_speed(profile, answer.seconds, answer.first, usage.tokens_out))


def _replies(folder: Path) -> Check:
    count = sum(1 for _ in folder.rglob("*.json"))
    detail = f"{count} kept answers in {folder}; the model is never asked"
    return Check(
        name="replies", state="ok" if count else "missing", detail=detail, mend="see to `replies` in the profile"
    )


def _speed(profile: LlmProfile, seconds: float, first: float, tokens: int) -> str:
    writing = seconds - first if profile.stream and seconds - first > 0.05 else seconds
    return f"the whole reply after {seconds:.2f} s, {tokens / max(writing, 0.001):.0f} tokens a second"


@click.command()
@click.option("--run", "run_id", help="Only what this run has spent.")
@click.option("--write-off", is_flag=True, help="Count calls of killed processes as not charged: your bill says so.")
@json_option
def llm_spent(run_id: str | None, write_off: bool, as_json: bool) -> None:
    """Show what models have used and cost, by run, stage, paper and model.

    Each try is a call. A call that a killed process left open counts at its worst case, and is told.
    """
    from agents.llm.ledger import Ledger

    settings = load_settings()
    ledger = Ledger(settings.home / "llm")
    written_off = ledger.write_off(settings.llm) if write_off else 0
    calls = [call for call in ledger.calls() if run_id in (None, call.reserved.run)]
    groups: dict[str, dict[str, list[Any]]] = {group: defaultdict(list) for group in GROUPS}
    for call in calls:
        for group in GROUPS:
            groups[group][getattr(call.reserved, group) or ""].append(call)
    by = {group: [{"name": name, **_sum(some)} for name, some in rows.items()] for group, rows in groups.items()}
    result = {"total": _sum(calls), "by": by, "written_off": written_off}
    emit(result, as_json=as_json, text=lambda: _table(result))


def _sum(calls: list[Any]) -> dict[str, Any]:
    """What calls have used together; `cost` is of those that have a price."""
    counted = [call.counted for call in calls]
    return {
        "calls": len(calls),
        "failed": sum(call.settled is not None and call.settled.outcome != "answered" for call in calls),
        "tokens_in": sum(one.tokens_in for one in counted),
        "tokens_out": sum(one.tokens_out for one in counted),
        "cost": float(sum((one.cost for one in counted if one.cost is not None), Decimal(0))),
        "without_price": sum(one.cost is None for one in counted),
        "estimated": sum(call.settled is not None and call.settled.estimated for call in calls),
        "under_way": sum(call.settled is None and not call.lost for call in calls),
        "lost": sum(call.lost for call in calls),
    }


def _table(result: dict[str, Any]) -> str:
    columns = ("calls", "failed", "tokens_in", "tokens_out", "cost")
    lines = []
    for group, rows in result["by"].items():
        shown = [{**row, "name": row["name"] or "(none)"} for row in rows]
        width = max([len(group), *(len(row["name"]) for row in shown)])
        lines.append(f"{group:<{width}}" + "".join(f"  {column.replace('_', ' '):>10}" for column in columns))
        for row in shown:
            cells = (f"  {row[column]:>10.4f}" if column == "cost" else f"  {row[column]:>10}" for column in columns)
            lines.append(f"{row['name']:<{width}}" + "".join(cells))
        lines.append("")
    total = result["total"]
    told = {
        "without_price": 'have no price: [llm.prices."MODEL"] in xkg.toml gives one',
        "estimated": "are estimated: the server did not tell, or nobody knows",
        "under_way": "are under way and count at their worst case",
        "lost": "are of killed processes and count at their worst case; --write-off if they were not charged",
    }
    lines += [f"{total[key]} calls {text}" for key, text in told.items() if total[key]]
    return "\n".join(lines) if total["calls"] else "no model was asked yet"
