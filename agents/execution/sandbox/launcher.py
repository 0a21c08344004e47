"""The step between a privileged xkg and bubblewrap: joins the cgroups, makes sources reachable, drops root, executes.

A script of its own (``python -I -S -B launcher.py JSON``, standard library only), so that none of it happens in the
threads of xkg. The JSON holds `argv` and `environment` of bubblewrap, `cgroups` (folders to join), `user` (uid and gid
to become, or null) and `stage`: [source, name] pairs that are bound to ``/tmp/<name>`` in a mount namespace of its own,
because the user that it becomes may not walk to them (a Python below /root) or read them. Nothing of that is seen
outside, and it vanishes with the last process.
"""

import ctypes
import json
import os
import sys

CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 4096, 16384, 1 << 18
OPEN_TREE, MOVE_MOUNT, MOUNT_SETATTR = 428, 429, 442
OPEN_TREE_CLONE, MOVE_MOUNT_FROM_EMPTY, AT_FDCWD, AT_EMPTY_PATH, AT_RECURSIVE = 1, 4, -100, 0x1000, 0x8000
MOUNT_ATTR_IDMAP = 0x100000
STAGE = "/tmp"  # noqa: S108 -- a fresh tmpfs is mounted there first


def call(name: str, *arguments: object) -> int:
    """A function of libc; raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    value = int(getattr(libc, name)(*arguments))
    if value < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return value


def mount(source: str, target: str, kind: bytes | None, flags: int, data: bytes | None = None) -> None:
    """`mount(2)`; raises OSError."""
    call("mount", os.fsencode(source), os.fsencode(target), kind, ctypes.c_ulong(flags), data)


def stage(pairs: list[list[str]], user: list[int] | None) -> None:
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
        if user is None or not bind_as(descriptor, target, user):
            mount(f"/proc/self/fd/{descriptor}", target, None, MS_BIND | MS_REC)
        os.close(descriptor)


def bind_as(descriptor: int, target: str, user: list[int]) -> bool:
    """Bind what is open to `target` so that its owner's files are the `user`'s there, whoever owns them outside.

    What a privileged xkg may read, the run is to read where it was told to see it, as it is for anyone else. False
    where kernel or file system do not know such mounts (before Linux 5.12).
    """
    owner = os.stat(descriptor)
    space = user_namespace((owner.st_uid, owner.st_gid), user)
    attributes = (ctypes.c_uint64 * 4)(MOUNT_ATTR_IDMAP, 0, 0, space)
    try:
        flags = OPEN_TREE_CLONE | AT_EMPTY_PATH | AT_RECURSIVE
        tree = call("syscall", ctypes.c_long(OPEN_TREE), descriptor, b"", ctypes.c_uint(flags))
        size = ctypes.c_size_t(ctypes.sizeof(attributes))
        call("syscall", ctypes.c_long(MOUNT_SETATTR), tree, b"", AT_EMPTY_PATH, ctypes.byref(attributes), size)
        place = os.fsencode(target)
        call("syscall", ctypes.c_long(MOVE_MOUNT), tree, b"", AT_FDCWD, place, MOVE_MOUNT_FROM_EMPTY)
    except OSError:
        return False
    finally:
        os.close(space)
    os.close(tree)
    return True


def user_namespace(inside: tuple[int, int], outside: list[int]) -> int:
    """A descriptor of a user namespace that maps one user and one group."""
    unshared, tell = os.pipe()
    wait, release = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            call("unshare", CLONE_NEWUSER)
            os.write(tell, b"1")
            os.close(release)
            os.read(wait, 1)
        finally:
            os._exit(0)
    os.close(tell)
    os.close(wait)
    os.read(unshared, 1)
    try:
        for name, first, second in zip(("uid_map", "gid_map"), inside, outside, strict=True):
            with open(f"/proc/{child}/{name}", "w") as file:
                file.write(f"{first} {second} 1")
        return os.open(f"/proc/{child}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
    finally:
        os.close(release)
        os.close(unshared)
        os.waitpid(child, 0)


def main() -> None:
    """See the module; says what failed in one line on stderr and exits with 1."""
    job = json.loads(sys.argv[1])
    try:
        for folder in job["cgroups"]:
            with open(os.path.join(folder, "cgroup.procs"), "w") as file:
                file.write("0")
        if job["stage"]:
            stage(job["stage"], job["user"])
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
