"""`xkg skill install`."""

from itertools import chain
from pathlib import Path

import click

from agents.skill import TARGETS, Written, install
from kg.cli.common import emit, json_option
from kg.cli.search_filters import exclude_options
from kg.excluding import Excluded

__all__ = ["skill_install"]


@click.command()
@click.option(
    "--target", "targets", multiple=True, default=tuple(TARGETS), show_default=True, metavar="claude|codex|DIR",
    help="Whose places below the working folder; a folder gets the skill alone. May be given more than once.",
)  # fmt: skip
@exclude_options
@click.option("--force", is_flag=True, help="Also write over what a person has edited.")
@json_option
def skill_install(targets: tuple[str, ...], excluded: Excluded, force: bool, as_json: bool) -> None:
    """Write a skill, and the configuration of `xkg mcp`, where Claude Code and Codex look in a project.

    What is excluded stands in that configuration. Doing it twice changes nothing; what a person has edited is kept.
    """
    named = (("--exclude-paper", excluded.papers), ("--exclude-repository", excluded.repositories))
    options = [word for option, values in named for value in values for word in (option, value)]
    done = list(
        chain.from_iterable(
            install(target, Path() if target in TARGETS else Path(target), options, force=force) for target in targets
        )
    )
    emit({"files": done}, as_json=as_json, text=lambda: _text(done))


def _text(done: list[Written]) -> str:
    kept = ["kept: edited since; --force writes over it"] if any(one.state == "kept" for one in done) else []
    return "\n".join([*(f"{one.state:<10}{one.file}" for one in done), *kept])
