"""`xkg concept refresh`: joining anew, and what a model makes of the pairs that rules leave open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kg.cli.common import emit, json_option, log
from kg.concepts import ConceptChanges, refresh_concepts
from kg.config import Settings, load_settings
from kg.opening import open_store

if TYPE_CHECKING:
    from agents.joining import JudgedPairs
    from agents.llm import LLM
    from kg.store import Store

__all__ = ["concept_refresh"]


@click.command()
@click.option("--whole", is_flag=True, help="Look at everything, not only at what has changed; the result is the same.")
@click.option("--profile", help="The model that judges close pairs, as xkg.toml calls it. Default: the settings'.")
@click.option("--no-model", is_flag=True, help="Ask no model, even if the settings name one.")
@json_option
def concept_refresh(whole: bool, profile: str | None, no_model: bool, as_json: bool) -> None:
    """Join techniques of different papers that are one, and relate variants and similar ones.

    Ingest and import do the same at their end. With a model, the pairs that rules leave open are judged as well;
    without one they await a curator (`xkg concept candidates`, `xkg corpus review`), whose word no machine takes back.
    Exit code 4 if a model could not be asked or an answer of this run could not be used, 5 if a limit was reached;
    running again goes on. Kept answers that could not be used are not asked for again: their pairs await a curator.
    """
    if profile and no_model:
        raise click.UsageError("--profile and --no-model exclude each other")
    settings = load_settings()
    named = None if no_model else profile or settings.llm.profile
    llm = _model(settings, named) if named else None
    with open_store(settings) as store:
        if llm:
            store.demand_whole("a model's judgement (not with --no-model)")
        changes = refresh_concepts(store, whole=whole)
        judged = _judged(store, llm) if llm else None
    value = {"changes": changes.counts(), "judged": judged}
    emit(value, as_json=as_json, text=lambda: _text(changes, judged))
    if judged and judged.failure:
        log.print(judged.failure, markup=False)
    if judged and judged.limited:
        raise SystemExit(5)
    raise SystemExit(4 if judged and (judged.failure or judged.refused) else 0)


def _model(settings: Settings, profile: str) -> LLM:
    from agents.llm import LLM

    return LLM(settings, profile)


def _judged(store: Store, llm: LLM) -> JudgedPairs:
    from agents.joining import judge_pairs

    found = judge_pairs(store, llm)
    log.print(f"model {llm.profile.model}: this run has used {llm.ledger.used(llm.run)}", markup=False)
    return found


def _text(changes: ConceptChanges, judged: JudgedPairs | None) -> str:
    lines = [
        f"concepts: {len(changes.added)} added, {len(changes.removed)} removed",
        f"instances: {len(changes.instances_added)} added, {len(changes.instances_removed)} removed",
        f"relations: {len(changes.relations_added)} told, {len(changes.relations_removed)} taken back",
    ]
    if judged:
        said = ", ".join(f"{number} {relation}" for relation, number in sorted(judged.judged.items())) or "none"
        lines.append(f"pairs judged: {said}; {judged.refused} answers not taken, {judged.left} left to a curator")
    return "\n".join(lines)
