"""The slicer's analyses.

Switched off, most leave as many modules that stand alone, but other ones: whether a registry is filled, or a circle of
imports is entered from its right side, shows only when a module is imported and used.
"""

from collections.abc import Callable, Iterator
from typing import Any

from agents.code.modules.python2 import Translation
from benchmarks.ablation.feature import Feature, replaced

__all__ = ["FEATURES"]


def _giving(value: object) -> Callable[..., Any]:
    return lambda *_, **__: value


def _property(value: object) -> property:
    return property(_giving(value))


def _switches() -> Iterator[tuple[str, str, str, object]]:
    """What the analysis is, and the module, the name in it and what stands there while the analysis is off."""
    yield "python 2", "repository", "translate", _giving(Translation())
    yield "python 2: code that parses as 3", "python2", "_has_signs", _giving(False)
    yield "python 2: division", "python2", "_divide_classically", lambda text: (text, range(0), 0)
    yield "python 2: what no translation keeps", "python2", "_DIFFERENT", ()
    yield "places: by how files are imported", "repository", "Repository.votes", _property({})
    yield "places: folders stay together", "slots", "Slots._join_folders", _giving(None)
    yield "places: apart where names collide", "slots", "Slots._free", staticmethod(_giving(""))
    yield "effects: what fills or alters objects", "effects", "Effects.changes", _giving([])
    yield "effects: settings of packages", "effects", "Effects.settings", _giving([])
    yield "effects: by calls", "effects", "Effects._by_call", _giving(set())
    yield "effects: subclasses told of", "effects", "Effects._hooked_ancestors", _giving(set())
    yield "effects: imports that lead there", "effects", "Reach.road", _giving([])
    yield "run-time imports: literal names", "repository", "Repository.module_called", _giving(None)
    yield "globals looked up by name", "closure", "Closure.reflect", _giving(None)
    yield "globals bound by functions", "pyfile", "PyFile.late", _property({})
    yield "globals bound by the main block", "pyfile", "PyFile.main_meanings", _property({})
    yield "order of imports in circles", "closure", "keep_order", _giving(None)
    yield "submodules as attributes", "closure", "Closure.import_child", _giving(None)
    yield "stars from outside", "closure", "Closure.external_star", _giving(False)
    yield "stars in circles", "render", "Renderer._in_circle", _giving(False)
    yield "data files", "data", "DataFiles.of", _giving(())


FEATURES = tuple(
    Feature(f"modules, {name}", "slicing", replaced(f"agents.code.modules.{module}", attribute, instead))
    for name, module, attribute, instead in _switches()
)
