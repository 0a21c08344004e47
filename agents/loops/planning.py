"""Plans: what is wrong with one, and the order in which its files are written."""

import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import PurePosixPath

from agents.loops.reply import Plan, PlannedFile

__all__ = ["completed", "in_writing_order", "is_test", "objections"]

TEST = "test_program.py"
"""Where the tests of a plan without a test stand."""

_PATH = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(/[A-Za-z_][A-Za-z0-9_]*){0,5}\.py")


def objections(plan: Plan) -> list[str]:
    """What is wrong with a plan, in sentences; nothing if it can be carried out."""
    return list(_objections(plan))


def _objections(plan: Plan) -> Iterator[str]:
    paths = [file.path for file in plan.files]
    known = {one.id for one in plan.requirements}
    for path in paths:
        if not _PATH.fullmatch(path):
            yield f"{path!r} is no path of a Python file"
    if len({path.casefold() for path in paths}) < len(paths):
        yield "two files have the same path"
    if plan.entry not in paths:
        yield f"the entry {plan.entry!r} is none of the files"
    if not any(map(is_test, paths)):
        yield "no file is a test (test_….py)"
    if len(known) < len(plan.requirements):
        yield "two requirements have the same id"
    for one in sorted(known - {name for file in plan.files for name in file.requirements}):
        yield f"no file serves the requirement {one!r}"
    for file in plan.files:
        for name in sorted(set(file.requirements) - known):
            yield f"{file.path} serves {name!r}, which is no requirement"
        for path in sorted(set(file.needs) - set(paths)):
            yield f"{file.path} needs {path!r}, which is no file of the plan"
    try:
        in_writing_order(plan)
    except CycleError:
        yield "files need each other in a circle"


def completed(plan: Plan) -> Plan:
    """The plan without what it refers to and has not, with a test of all files if it has none, and with its entry in
    charge of what no file serves: what can be put right without a guess, for models that can't do it themselves."""
    paths = {file.path for file in plan.files}
    served = {name for file in plan.files for name in file.requirements}
    files = [
        file.model_copy(
            update={
                "needs": tuple(path for path in file.needs if path in paths),
                "requirements": tuple(
                    one.id
                    for one in plan.requirements
                    if one.id in file.requirements or (file.path == plan.entry and one.id not in served)
                ),
            }
        )
        for file in plan.files
    ]
    if not any(map(is_test, paths)):
        sections = tuple(dict.fromkeys(section for file in files for section in file.sections))
        needs = tuple(file.path for file in files if file.path != plan.entry) or (plan.entry,)
        purpose = "Tests that assert, for pytest, what the paper's definitions say of what these files compute."
        serves = tuple(one.id for one in plan.requirements)
        files.append(PlannedFile(path=TEST, purpose=purpose, requirements=serves, sections=sections[:20], needs=needs))
    return plan.model_copy(update={"files": tuple(files)})


def in_writing_order(plan: Plan) -> list[PlannedFile]:
    """Its files, each after those that it needs, otherwise as the plan has them. Raises CycleError."""
    files = {file.path: file for file in plan.files}
    left = TopologicalSorter({path: set(file.needs) & files.keys() for path, file in files.items()})
    left.prepare()
    found = []
    while left.is_active():
        ready = sorted(left.get_ready(), key=list(files).index)
        found += [files[path] for path in ready]
        left.done(*ready)
    return found


def is_test(path: str) -> bool:
    """Whether pytest would look for tests in it."""
    return PurePosixPath(path).name.startswith("test_")
