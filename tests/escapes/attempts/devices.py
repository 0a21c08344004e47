"""Open the devices that are there, and those that are not: disks, memory, virtual machines, tunnels."""

import os
import stat

from probe import SCENE, each

PLAIN = {"null", "zero", "full", "random", "urandom", "tty", "ptmx", "stdin", "stdout", "stderr", "fd", "console"}
NAMES = {"vda", "sda", "nvme0n1", "mem", "kmem", "port", "kmsg", "kvm", "fuse", "loop-control", "loop0", "net/tun"}
NAMES |= {"userfaultfd", "vsock", "vhost-vsock", "vhost-net", "uinput", "rfkill", "hwrng", "cpu/0/msr", "dri/card0"}


def use(path, flags):
    def act():
        handle = os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)
        kind = os.fstat(handle).st_mode
        os.close(handle)
        return "opened" if stat.S_ISBLK(kind) or stat.S_ISCHR(kind) else None

    return act


there = set()
for folder, folders, files in os.walk("/dev"):
    folders[:] = [name for name in folders if name not in ("pts", "shm", "mqueue", "fd")]
    there |= {os.path.join(folder, file) for file in files}
paths = {"/dev/" + name for name in NAMES} | {path for path in there if path[5:] not in PLAIN}
if SCENE["control"]:
    paths = {"/dev/kmsg", "/dev/vda", "/dev/sda"}
tries = {"read " + path: use(path, os.O_RDONLY) for path in sorted(paths)}
if not SCENE["control"]:
    tries.update({"write " + path: use(path, os.O_WRONLY) for path in sorted(paths)})
each(tries)
