"""What a run sees: bubblewrap's arguments for the file system, the namespaces and the first process inside."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from pathlib import Path

from agents.execution.sandbox.descriptors import memory_file
from agents.execution.sandbox.interpreter import Interpreter
from agents.execution.sandbox.models import RunSpec
from agents.execution.sandbox.places import INIT, NAMES, PYTHON, UID

__all__ = ["Layout", "arguments"]

MIB = 1024 * 1024
SHM_SIZE = 64 * MIB
STUBS = {
    "/etc/passwd": f"sandbox:x:{UID}:{UID}:sandbox:/tmp:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n",
    "/etc/group": f"sandbox:x:{UID}:\nnogroup:x:65534:\n",
    "/etc/hosts": "127.0.0.1 localhost sandbox\n",
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}


@dataclass
class Layout:
    """How one run is laid out. `stage` names sources that the launcher makes reachable, if `staged`.

    `stack` closes what is opened for it. `disk` is the size of the working folder, and of /tmp, in bytes; `channel` the
    descriptor of our process' socket, `filter` that of the seccomp program, `info` both ends of the pipe where
    bubblewrap tells its process.
    """

    spec: RunSpec
    stack: ExitStack
    python: Interpreter
    init_python: Interpreter
    disk: int
    channel: int
    info: tuple[int, int]
    filter: int | None
    staged: bool
    stage: list[tuple[str, str]] = field(default_factory=list)

    @property
    def descriptors(self) -> list[int]:
        """What bubblewrap inherits: of the pipe both ends, as it would die of having no reader, and leave its child."""
        return [self.channel, *self.info, *([] if self.filter is None else [self.filter]), *self.stubs.values()]

    @cached_property
    def stubs(self) -> dict[str, int]:
        """The small files of /etc, as descriptors."""
        return {name: memory_file(self.stack, text.encode()) for name, text in STUBS.items()}

    def source(self, path: Path) -> str:
        """Where bubblewrap finds a source of the host."""
        if not self.staged:
            return str(path)
        self.stage.append((str(path), str(len(self.stage))))
        return f"/tmp/{len(self.stage) - 1}"  # noqa: S108 -- see the launcher


def arguments(layout: Layout) -> list[str]:
    """The arguments of bubblewrap, with the first process at their end."""
    given = [*_namespaces(), *_system(), *_stubs(layout), *_python(layout)]
    given += ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev"]
    given += _tmpfs("/dev/shm", "1777", SHM_SIZE)  # noqa: S108 -- a place inside
    given += _tmpfs("/tmp", "1777", layout.disk) + _tmpfs("/work", "0755", layout.disk)  # noqa: S108
    for inside, source in sorted(layout.spec.read_only.items()):
        given += ["--ro-bind", layout.source(source.resolve()), inside]
    given += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/work", "--info-fd", str(layout.info[1])]
    if layout.filter is not None:
        given += ["--seccomp", str(layout.filter)]
    return [*given, "--", *_first(layout)]


def _namespaces() -> list[str]:
    names = ("user", "pid", "net", "ipc", "uts")
    given = [f"--unshare-{name}" for name in names] + ["--unshare-cgroup-try", "--disable-userns"]
    given += ["--uid", str(UID), "--gid", str(UID), "--hostname", "sandbox", "--cap-drop", "ALL"]
    return [*given, "--as-pid-1", "--new-session", "--clearenv"]


def _system() -> Iterator[str]:
    yield from ("--ro-bind", "/usr", "/usr")
    for name in ("bin", "sbin", "lib", "lib32", "lib64"):
        path = Path("/") / name
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        elif path.is_dir():
            yield from ("--ro-bind", str(path), str(path))
    yield from ("--perms", "0755", "--dir", "/etc", "--perms", "0755", "--dir", "/opt")
    for name in ("/etc/ld.so.cache", "/etc/alternatives"):
        yield from ("--ro-bind-try", name, name)


def _stubs(layout: Layout) -> Iterator[str]:
    for name, descriptor in layout.stubs.items():
        yield from ("--perms", "0444", "--ro-bind-data", str(descriptor), name)


def _python(layout: Layout) -> Iterator[str]:
    for name in ("python3", "python"):
        yield from ("--symlink", f"{PYTHON}/{layout.python.name}", f"{NAMES}/{name}")
    for place, python in {PYTHON: layout.python, INIT: layout.init_python}.items():
        if place == INIT and layout.init_python.prefix == layout.python.prefix:
            return
        yield from ("--ro-bind", layout.source(python.prefix), place)
        for packages in python.packages():
            yield from ("--perms", "0755", "--size", "4096", "--tmpfs", f"{place}/{packages}")
            yield from ("--remount-ro", f"{place}/{packages}")


def _tmpfs(place: str, mode: str, size: int) -> list[str]:
    return ["--perms", mode, "--size", str(size), "--tmpfs", place]


def _first(layout: Layout) -> list[str]:
    place = PYTHON if layout.init_python.prefix == layout.python.prefix else INIT
    source = (files("agents.execution.sandbox") / "inside" / "bubblewrap_init.py").read_text("utf-8")
    library = ["/usr/bin/env", f"LD_LIBRARY_PATH={place}/lib"] if layout.init_python.shared else []
    return [*library, f"{place}/{layout.init_python.name}", "-I", "-S", "-B", "-c", source, str(layout.channel)]
