"""A repository's copy with an environment, in which jobs can be run any number of times."""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from pathlib import Path

from agents.code.mutants import Raised
from agents.code.verify.layout import Layout
from agents.execution.environments import Environment, Rescue, ci_variables
from agents.execution.harness import REPO, BatchRun, Harness, Job, Workspace
from agents.execution.sandbox import Sandbox

__all__ = ["Session", "raised_of", "repository_path"]


class Session:
    """A repository's copy with an environment; a run may have `memory` bytes.

    `extra` are files that the copy gets besides its own (paths below ``/work``), `wheel_files` others that are taken
    from the folder `wheel` (path in the repository to path in it); `rescues` names what they came by. `warm` are
    packages that are loaded once for all jobs of a run, `variables` what the repository's CI sets for its libraries.
    """

    def __init__(
        self, folder: Path, layout: Layout, environment: Environment, sandbox: Sandbox, *, memory: int
    ) -> None:
        self.folder, self.layout, self.environment, self.sandbox = folder, layout, environment, sandbox
        self.memory = memory
        self.extra: dict[str, str] = {}
        self.wheel_files: dict[str, str] = {}
        self.wheel: Path | None = None
        self.rescues: tuple[str, ...] = ()
        self.warm: tuple[str, ...] = ()
        self.variables = ci_variables(folder)

    def add(self, rescues: Iterable[Rescue]) -> None:
        """Let the copy have what the repository lacks."""
        for rescue in rescues:
            self.rescues = (*self.rescues, rescue.name)
            self.extra |= {f"repo/{path}": content.decode() for path, content in rescue.files.items()}
            if rescue.site:
                self.wheel_files, self.wheel = rescue.taken, rescue.site

    def beside(self, files: Mapping[str, str]) -> "Session":
        """The same copy with more `files` (paths below ``/work``); this one stays as it is."""
        other = copy(self)
        other.extra = {**self.extra, **files}
        return other

    def run(self, jobs: Sequence[Job], seconds: float, *, fresh: bool = True, preload: Sequence[str] = ()) -> BatchRun:
        """Run `jobs` in order within `seconds`, as `Harness.run` does; with `fresh` each finds the same files."""
        workspace = Workspace(
            repository=self.folder,
            files=self.layout.files,
            links=self.layout.links,
            lent=self.wheel,
            lend={f"repo/{path}": source for path, source in self.wheel_files.items()},
            write=self.extra,
            path=tuple(f"repo/{root}" for root in self.layout.roots),
            size=self.layout.size,
            variables=self.variables,
            fresh=fresh,
        )
        harness = Harness(self.environment, self.sandbox, self.memory)
        return harness.run(jobs, workspace, seconds, preload=(*preload, *self.warm))


def raised_of(record: object) -> Raised | None:
    """The exception of an event's record; None for what has no such shape."""
    if not isinstance(record, dict):
        return None
    types = tuple(str(name)[:200] for name in record.get("types") or ())
    frames = tuple(
        (str(frame[0])[:1000], int(frame[1]), str(frame[2])[:200] if len(frame) > 2 else "")
        for frame in record.get("frames") or ()
        if isinstance(frame, list) and len(frame) > 1 and isinstance(frame[1], int)
    )
    return Raised(types, str(record.get("message", ""))[:2000], frames) if types else None


def repository_path(file: str) -> str | None:
    """The path in the repository of a file named by a traceback inside, None for foreign files."""
    return file[len(REPO) + 1 :] if file.startswith(REPO + "/") else None
