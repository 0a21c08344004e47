"""Read all of stdin, then try to reach more of what the launcher reads from."""

import os
import stat
import sys

from probe import each

data = sys.stdin.buffer.read()


def rewound():
    if not stat.S_ISREG(os.fstat(0).st_mode):
        return None
    os.lseek(0, 0, os.SEEK_SET)
    more = os.read(0, 1 << 20)
    return None if more == data[: len(more)] else "other data"


def pushed():
    return os.write(0, b"back") and "written"


each(
    {
        "rewind": rewound,
        "write": pushed,
        "again": lambda: os.write(os.open("/proc/self/fd/0", os.O_WRONLY | os.O_NONBLOCK), b"x") and None,
    }
)
