"""Which environment each block gets: few, because each is large, but as many as needed, for some can't be joined."""

from collections import Counter
from collections.abc import Iterable, Mapping

from agents.code.verify.blocks.text import Block, imports, join
from agents.execution.environments import (
    Environment,
    EnvironmentFailed,
    build_environment,
    distributions,
    strategies,
)
from kg.config import Settings

__all__ = ["plan_environments"]

COMMON = 2
"""Blocks that must need a distribution for it to be in the environment that most blocks share."""


def plan_environments(blocks: Iterable[Block], settings: Settings) -> dict[str, Environment | EnvironmentFailed]:
    """The environment of each block by its id, built or from the cache, or why it can't be had.

    A block needs the distributions of the modules that it imports; what its file says of its requirements is not
    trusted, and a module that no known distribution provides is left out (the block then stops at its import). What
    several blocks need goes into one environment that they share; a block with rare needs, or whose share of that
    can't be built, has one of its own.
    """
    needs = {block.id: _needs(block) for block in blocks}
    counts = Counter(name for found in needs.values() for name in set(found.values()))
    shared = {key: name for found in needs.values() for key, name in found.items() if counts[name] >= COMMON}
    builder = _Builder(settings)
    return {key: builder.environment(found, shared) for key, found in sorted(needs.items())}


def _needs(block: Block) -> dict[str, str]:
    """The imports of a block that a known distribution provides, each with its requirement."""
    return distributions(imports(join(block))).found


class _Builder:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.built: dict[frozenset[str], Environment | EnvironmentFailed] = {}

    def environment(self, found: Mapping[str, str], shared: Mapping[str, str]) -> Environment | EnvironmentFailed:
        if set(found.values()) <= set(shared.values()):
            common = self._once(shared)
            if isinstance(common, Environment):
                return common
        return self._once(found)

    def _once(self, found: Mapping[str, str]) -> Environment | EnvironmentFailed:
        key = frozenset(found.values())
        if key not in self.built:
            self.built[key] = self._tried(found)
        return self.built[key]

    def _tried(self, found: Mapping[str, str]) -> Environment | EnvironmentFailed:
        """The first way that serves; of ways that all fail, what the last one said."""
        failed = EnvironmentFailed("there is no way to an environment for it")
        try:
            for spec in strategies(None, sorted(found), None, self.settings):
                try:
                    return build_environment(spec, self.settings)
                except EnvironmentFailed as error:
                    failed = error
        except EnvironmentFailed as error:
            failed = error
        return failed
