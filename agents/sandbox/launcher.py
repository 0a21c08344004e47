"""The step between a privileged xkg and bubblewrap: joins the cgroups, makes sources reachable, drops root, executes.

A script of its own (``python -I -S -B launcher.py JSON``, standard library only), so that none of it happens in the
threads of xkg. The JSON holds `argv` and `environment` of bubblewrap, `cgroups` (folders to join), `user` (uid and gid
to become, or null) and `stage`: [source, name] pairs that are bound to ``/tmp/<name>`` in a mount namespace of its own,
because the user that it becomes may not walk to them (a Python below /root). Nothing of that is seen outside, and it
vanishes with the last process.
"""

import ctypes
import json
import os
import sys

CLONE_NEWNS = 0x20000
MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 4096, 16384, 1 << 18
STAGE = "/tmp"  # noqa: S108 -- a fresh tmpfs is mounted there first


def call(name: str, *arguments: object) -> None:
    """A function of libc; raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*arguments):
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def mount(source: str, target: str, kind: bytes | None, flags: int, data: bytes | None = None) -> None:
    """`mount(2)`; raises OSError."""
    call("mount", os.fsencode(source), os.fsencode(target), kind, ctypes.c_ulong(flags), data)


def stage(pairs: list[list[str]]) -> None:
    """Bind each source to its name below `STAGE`. The sources are opened first, as the stage may cover them."""
    call("unshare", CLONE_NEWNS)
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    opened = [(os.open(source, os.O_PATH), name) for source, name in pairs]
    mount("tmpfs", STAGE, b"tmpfs", MS_NOSUID | MS_NODEV, b"mode=0755,size=1m")
    for descriptor, name in opened:
        target = os.path.join(STAGE, name)
        if os.path.isdir(f"/proc/self/fd/{descriptor}"):
            os.mkdir(target, 0o755)
        else:
            os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
        mount(f"/proc/self/fd/{descriptor}", target, None, MS_BIND | MS_REC)
        os.close(descriptor)


def main() -> None:
    """See the module; says what failed in one line on stderr and exits with 1."""
    job = json.loads(sys.argv[1])
    try:
        for folder in job["cgroups"]:
            with open(os.path.join(folder, "cgroup.procs"), "w") as file:
                file.write("0")
        if job["stage"]:
            stage(job["stage"])
        if job["user"]:
            uid, gid = job["user"]
            os.setgroups([])
            os.setresgid(gid, gid, gid)
            os.setresuid(uid, uid, uid)
        os.execve(job["argv"][0], job["argv"], job["environment"])
    except OSError as error:
        print(f"launcher: {error}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
