"""Make device nodes of the disk, the memory and the kernel's messages, and open them."""

import os
import stat

from probe import SCENE, TOKEN, each


def node(folder, kind, major, minor):
    def act():
        path = "%s/%s%d.%d" % (folder, TOKEN, major, minor)
        os.mknod(path, 0o666 | kind, os.makedev(major, minor))
        try:
            os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
        finally:
            os.unlink(path)
        return "opened"

    return act


numbers = [(stat.S_IFBLK, *SCENE["disk_device"]), (stat.S_IFCHR, 1, 1), (stat.S_IFCHR, 1, 11), (stat.S_IFCHR, 5, 1)]
each(
    {
        "%s %d:%d" % (folder, major, minor): node(folder, kind, major, minor)
        for folder in ([".", "/tmp", "/dev/shm", "/dev"] if not SCENE["control"] else ["."])
        for kind, major, minor in numbers
    }
)
