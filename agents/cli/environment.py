"""``xkg environment``: what the cache of Python environments holds."""

import click

from agents.execution.environments.cache import kept_environments, prune_environments
from kg.cli.common import emit, json_option
from kg.config import load_settings

__all__ = ["environment_list", "environment_prune"]


@click.command()
@json_option
def environment_list(as_json: bool) -> None:
    """The environments in the cache, most recently used first, with their sizes."""
    kept = kept_environments(load_settings())

    def text() -> str:
        rows = [
            f"{one.id[:12]}  Python {one.python:8} {one.packages:4} packages {one.size / 1e6:8,.0f} MB  {one.used}"
            f"  {', '.join(one.strategies)}"
            for one in kept
        ]
        total = sum(one.size for one in kept)
        return "\n".join([*rows, f"{len(kept)} environments, {total / 1e6:,.0f} MB if nothing were shared"])

    emit(kept, as_json=as_json, text=text)


@click.command()
@click.option("--all", "everything", is_flag=True, help="Remove all, and what was resolved for them.")
@json_option
def environment_prune(everything: bool, as_json: bool) -> None:
    """Remove the longest unused environments until the rest fits `execution.environments_mb`."""
    pruned = prune_environments(load_settings(), everything=everything)
    emit(
        pruned,
        as_json=as_json,
        text=lambda: f"removed {len(pruned.removed)} environments, {pruned.size / 1e6:,.0f} MB are left",
    )
