"""What a container is made of: every setting that takes something away from what runs in it."""

import contextlib
import secrets
import stat
import tempfile
from pathlib import Path
from typing import Any

from docker.types import Mount, Ulimit

from agents.execution.sandbox.docker_engine import Engine, labels
from agents.execution.sandbox.interpreter import Interpreter, find_interpreter
from agents.execution.sandbox.layout import SHM_SIZE
from agents.execution.sandbox.models import RunSpec, SandboxError
from agents.execution.sandbox.places import NAMES, PYTHON
from agents.execution.sandbox.seccomp import program

__all__ = ["enforced_by", "settings_of"]

NOBODY = 65534
MOST_NAMES = 65_536
"""Files and folders that the working folder can hold."""
MOST_PROCESSES = 8192
"""`ulimit nproc` counts all processes of the user on the machine, so it only backs the cgroup's own limit up."""


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


def settings_of(engine: Engine, image: str, spec: RunSpec, argv: list[str], disk: int, cache: Path) -> dict[str, Any]:
    """The body of the engine's "create a container" for one run.

    `disk` is the size of the working folder, and of /tmp, in bytes; in the cache the names of Pythons are kept.
    """
    python = find_interpreter(spec.python)
    limits = spec.limits
    tmpfs = {
        "/work": f"rw,nosuid,nodev,exec,mode=0755,uid={NOBODY},gid={NOBODY},size={disk},nr_inodes={MOST_NAMES}",
        "/tmp": f"rw,nosuid,nodev,exec,mode=1777,size={disk},nr_inodes={MOST_NAMES}",  # noqa: S108
    }
    for packages in python.packages():
        tmpfs[f"{PYTHON}/{packages}"] = "ro,nosuid,nodev,noexec,mode=0755,size=4096"
    mounts = [_mount(str(python.prefix), PYTHON), _mount(str(_names(python, cache)), NAMES)]
    mounts += [_mount(_readable(source), inside) for inside, source in sorted(spec.read_only.items())]
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
        environment={"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/"},
        labels=labels(secrets.token_hex(8), limits.wall),
        host_config=host,
    )
    return given


def _names(python: Interpreter, cache: Path) -> Path:
    """A folder with `python3` and `python`, as links to the interpreter's place inside."""
    folder = cache.absolute() / "sandbox" / "names" / Path(python.name).name
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


def _readable(source: Path) -> str:
    """The source of a mount, followed to what it is. Raises SandboxError if the user inside may not read it."""
    place = source.resolve()
    status = place.stat()
    needed = 0o5 if stat.S_ISDIR(status.st_mode) else 0o4
    if status.st_uid != NOBODY and status.st_mode & needed != needed:
        raise SandboxError(
            f"{source} can't be read by the user inside (uid {NOBODY})", remedy=f"`chmod o+rX {source}` lets it"
        )
    return str(place)


def _mount(source: str, inside: str) -> Mount:
    """A read-only bind of `source` alone: what is mounted below it on the host stays outside."""
    mount = Mount(target=inside, source=source, type="bind", read_only=True, propagation="rprivate")
    mount["BindOptions"]["NonRecursive"] = True
    return mount
