"""What a container is made of: every setting that takes something away from what runs in it."""

import contextlib
import errno
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docker.types import Mount, Ulimit

from agents.execution.sandbox.docker_engine import Engine, labels
from agents.execution.sandbox.interpreter import Interpreter, find_interpreter
from agents.execution.sandbox.layout import SHM_SIZE
from agents.execution.sandbox.models import RunSpec, SandboxError
from agents.execution.sandbox.owners import is_dead, this_process
from agents.execution.sandbox.places import NAMES, PYTHON, SYSTEM_PATH
from agents.execution.sandbox.seccomp import program

__all__ = ["enforced_by", "places", "settings_of", "sweep_copies"]

NOBODY = 65534
MOST_NAMES = 65_536
"""Files and folders that the working folder can hold."""
COPIES = "copies-"
MOST_COPIED = 2 << 30
"""Bytes that are copied for the user inside."""
ABSENT = frozenset((
    errno.ENOENT, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.EINVAL, errno.ENXIO,
))  # fmt: skip
"""What is gone, has become something else meanwhile, or is closed to us as well, is not there for a run either."""
MOST_PROCESSES = 8192
"""`ulimit nproc` counts all processes of the user on the machine, so it only backs the cgroup's own limit up."""


@dataclass(frozen=True)
class Places:
    """Folders of the host: `names` keeps the names of Pythons, `copies` what one run sees in place of what it can't."""

    names: Path
    copies: Path


@contextlib.contextmanager
def places(cache: Path) -> Iterator[Places]:
    """The folders of one run; copies go at its end, those of a process that was killed when the next one opens.

    They lie below `cache`, as an engine in a virtual machine may see no other folders.
    """
    folder = _folder(cache)
    names = folder / "names"
    names.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=f"{COPIES}{this_process()}-") as copies:
        yield Places(names, Path(copies))


def sweep_copies(cache: Path) -> None:
    """Remove the copies of processes that are no more."""
    for copies in _folder(cache).glob(f"{COPIES}*"):
        if is_dead(copies.name.removeprefix(COPIES).rpartition("-")[0]):
            shutil.rmtree(copies, ignore_errors=True)


def _folder(cache: Path) -> Path:
    return cache.absolute() / "sandbox"


def enforced_by(info: dict[str, Any]) -> dict[str, str]:
    """Each protection that a run has on an engine that says `info` of itself, and how."""
    cgroup = f"cgroup v{info.get('CgroupVersion') or '1'}"
    found = {
        "wall": "process 1 of the container, and the supervisor",
        "disk": "tmpfs of limited size, watched by process 1 of the container",
        "output": "supervisor",
        "files": "image mounted read-only",
        "network": "network namespace",
        "processes": "pid namespace",
        "privileges": f"no capabilities, no new privileges, uid {NOBODY}",
    }
    if info.get("CgroupDriver") != "none":
        found["cpu"] = f"{cgroup}, watched by process 1 of the container"
    if info.get("MemoryLimit"):
        found["memory"] = cgroup if info.get("SwapLimit") else f"{cgroup}, swap not counted"
    if info.get("PidsLimit"):
        found["pids"] = cgroup
    if any("seccomp" in option for option in info.get("SecurityOptions") or ()) and program():
        found["syscalls"] = "seccomp: the engine's profile and our own"
    return found


def settings_of(
    engine: Engine, image: str, spec: RunSpec, argv: list[str], disk: int, folders: Places
) -> dict[str, Any]:
    """The body of the engine's "create a container" for one run.

    `disk` is the size of the working folder, and of /tmp, in bytes.
    """
    python = find_interpreter(spec.python)
    limits = spec.limits
    tmpfs = {
        "/work": f"rw,nosuid,nodev,exec,mode=0755,uid={NOBODY},gid={NOBODY},size={disk},nr_inodes={MOST_NAMES}",
        "/tmp": f"rw,nosuid,nodev,exec,mode=1777,size={disk},nr_inodes={MOST_NAMES}",  # noqa: S108
    }
    for packages in python.packages():
        tmpfs[f"{PYTHON}/{packages}"] = "ro,nosuid,nodev,noexec,mode=0755,size=4096"
    mounts = [_mount(str(python.prefix), PYTHON), _mount(str(_names(python, folders.names)), NAMES)]
    mounts += [_mount(_readable(source, folders.copies), inside) for inside, source in sorted(spec.read_only.items())]
    host = engine.create_host_config(
        network_mode="none",
        dns=["127.0.0.1"],
        dns_search=["."],
        read_only=True,
        cap_drop=["ALL"],
        security_opt=["no-new-privileges"],
        ipc_mode="private",
        log_config={"type": "none", "config": {}},
        mounts=mounts,
        tmpfs=tmpfs,
        shm_size=SHM_SIZE,
        mem_limit=limits.memory,
        memswap_limit=limits.memory,
        pids_limit=limits.pids + 1,
        ulimits=[
            Ulimit(name="nofile", soft=1024, hard=1024),
            Ulimit(name="nproc", soft=MOST_PROCESSES, hard=MOST_PROCESSES),
            Ulimit(name="core", soft=0, hard=0),
            Ulimit(name="fsize", soft=disk, hard=disk),
        ],
    )
    host["CgroupnsMode"] = "private"
    given: dict[str, Any] = engine.create_container_config(
        image,
        None,
        entrypoint=argv,
        healthcheck={"test": ["NONE"]},
        hostname="sandbox",
        user=f"{NOBODY}:{NOBODY}",
        stdin_open=True,
        working_dir="/",
        environment={"PATH": SYSTEM_PATH, "HOME": "/"},
        labels=labels(secrets.token_hex(8), limits.wall),
        host_config=host,
    )
    return given


def _names(python: Interpreter, names: Path) -> Path:
    """A folder with `python3` and `python`, as links to the interpreter's place inside."""
    folder = names / Path(python.name).name
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as fresh:
            made = Path(fresh) / folder.name
            made.mkdir()
            made.chmod(0o755)
            for name in ("python3", "python"):
                (made / name).symlink_to(f"{PYTHON}/{python.name}")
            with contextlib.suppress(OSError):  # another process was faster, with the same content
                made.rename(folder)
    return folder


def _readable(source: Path, copies: Path) -> str:
    """The source of a mount, followed to what it is: a copy below `copies` if the user inside may not read all of it.

    Raises SandboxError if that copy would be too large, or can't be made.
    """
    place = source.resolve()
    size, readable = 0, True
    for _, status in _below(place, copies):
        size += status.st_size if stat.S_ISREG(status.st_mode) else 0
        readable = readable and _may_read(status)
        if size > MOST_COPIED and not readable:
            raise _too_large(source)
    if readable:
        return str(place)
    copy = copies / str(len(list(copies.iterdir())))
    left = MOST_COPIED
    for path, status in _below(place, copies):
        target = copy / path.relative_to(place)
        with _absence(path):
            if stat.S_ISLNK(status.st_mode):
                target.symlink_to(path.readlink())
            elif stat.S_ISDIR(status.st_mode):
                target.mkdir()
                target.chmod(0o755)
            elif stat.S_ISREG(status.st_mode):
                left -= _copy(path, target, left)
        if left < 0:
            raise _too_large(source)
    return str(copy)


def _too_large(source: Path) -> SandboxError:
    return SandboxError(
        f"{source} is too large to be copied for the user inside (uid {NOBODY}), who may not read all of it",
        remedy="use the bubblewrap backend",
    )


@contextlib.contextmanager
def _absence(path: Path) -> Iterator[None]:
    """Passes over what is not there (`ABSENT`); any other OSError becomes a SandboxError."""
    try:
        yield
    except OSError as error:
        if error.errno not in ABSENT:
            raise SandboxError(
                f"{str(path)[-200:]} can't be copied for the user inside (uid {NOBODY}): {error.strerror}",
                remedy="mount another folder, or use the bubblewrap backend",
            ) from error


def _copy(path: Path, target: Path, most: int) -> int:
    """Copy a regular file, never what a link leads to, and at most a byte more than `most`; the bytes that it has."""
    number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(number, "rb") as file:
        status, size = os.fstat(number), 0
        if stat.S_ISREG(status.st_mode):
            with target.open("xb") as made:
                while size <= most and (part := file.read(min(1 << 20, most + 1 - size))):
                    size += made.write(part)
            target.chmod(0o755 if status.st_mode & 0o111 else 0o644)
    return size


def _below(place: Path, but: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """A file, or a folder before what is in it, without `but`; no links are followed, no other file systems entered."""
    device = None
    pending = [place]
    while pending:
        path = pending.pop()
        if path == but:
            continue
        with _absence(path):
            status = path.lstat()
            device = status.st_dev if device is None else device
            folder = stat.S_ISDIR(status.st_mode)
            if status.st_dev == device or folder:
                yield path, status
            if status.st_dev == device and folder:
                number = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
                try:
                    with os.scandir(number) as entries:
                        pending += [path / entry.name for entry in entries]
                finally:
                    os.close(number)


def _may_read(status: os.stat_result) -> bool:
    """Whether the user inside may read a file, or list a folder; everyone may read a link."""
    needed = 0o5 if stat.S_ISDIR(status.st_mode) else 0o4
    if status.st_uid == NOBODY:
        needed <<= 6
    return stat.S_ISLNK(status.st_mode) or status.st_mode & needed == needed


def _mount(source: str, inside: str) -> Mount:
    """A read-only bind of `source` alone: what is mounted below it on the host stays outside."""
    mount = Mount(target=inside, source=source, type="bind", read_only=True, propagation="rprivate")
    mount["BindOptions"]["NonRecursive"] = True
    return mount
