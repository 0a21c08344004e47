"""Make a user namespace, in which one is root: by unshare, clone, clone3, setns and the program of that name."""

import ctypes
import os
import subprocess

from probe import LIBC, c, call, each, in_child

NEWUSER = 0x10000000


def cloned(flags):
    def act():
        pid = call(56, flags | 17, 0, 0, 0, 0)
        if pid == 0:
            os._exit(0)
        os.waitpid(pid, 0)
        return "cloned"

    return act


def clone3():
    arguments = (ctypes.c_uint64 * 8)(NEWUSER, 0, 0, 0, 17, 0, 0, 0)
    pid = call(435, arguments, 64)
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return "cloned"


def nested():
    c("unshare", NEWUSER | 0x20000)
    return "root of " + (
        "a mount" if LIBC.mount(b"none", b"/tmp", b"tmpfs", ctypes.c_ulong(0), None) == 0 else "nothing"
    )


def program():
    done = subprocess.run(["unshare", "--user", "--map-root-user", "id", "-u"], capture_output=True)
    return "root" if (done.stdout.strip() == b"0" and os.getuid() != 0) or done.returncode == 0 else None


each(
    {
        "unshare": lambda: in_child(lambda: c("unshare", NEWUSER) or "made"),
        "unshare with mounts": lambda: in_child(nested),
        "clone": lambda: in_child(cloned(NEWUSER)),
        "clone3": lambda: in_child(clone3),
        "setns": lambda: in_child(lambda: c("setns", os.open("/proc/1/ns/user", os.O_RDONLY), NEWUSER) or "joined"),
        "program": program,
    }
)
