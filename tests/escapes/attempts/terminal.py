"""Type into the terminal of the person who started this, by TIOCSTI and its relatives."""

import fcntl
import os
import struct

from probe import each

KEYS = b"touch typed\n"


def typed(path):
    def act():
        handle = path if isinstance(path, int) else os.open(path, os.O_RDWR | os.O_NOCTTY)
        for key in KEYS:
            fcntl.ioctl(handle, 0x5412, bytes([key]))
        return "typed"

    return act


def pasted(path):
    return lambda: fcntl.ioctl(os.open(path, os.O_RDWR), 0x541C, struct.pack("B", 3)) and "pasted"


def written(path):
    def act():
        os.write(os.open(path, os.O_WRONLY | os.O_NOCTTY), b"\x1b[31mowned")
        return "written"

    return act


paths = ["/dev/tty", "/dev/console", "/dev/tty0", "/dev/tty1", "/dev/vcs", "/dev/ttyS0", "/dev/pts/0", "/dev/pts/1"]
tries = {"type %s" % path: typed(path) for path in [0, 1, 2, *paths]}
tries.update({"paste %s" % path: pasted(path) for path in paths})
tries.update({"write %s" % path: written(path) for path in paths})
each(tries)
