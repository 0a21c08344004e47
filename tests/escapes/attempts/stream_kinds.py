"""Look what the three streams are, and open them again with more rights than they were given."""

import os
import stat

from probe import SCENE, each


def again(number):
    """A regular file of the host's disk; one in memory that can be written is the run's own."""

    def act():
        if not stat.S_ISREG(os.fstat(number).st_mode):
            return None
        path = "/proc/self/fd/%d" % number
        handle = os.open(path, os.O_RDWR)
        own = os.readlink(path).startswith("/memfd:")
        return None if own and not SCENE["control"] else "opened " + os.readlink("/proc/self/fd/%d" % handle)

    return act


def terminal():
    return [number for number in range(3) if os.isatty(number)] or None


def hidden_socket():
    return [number for number in range(1, 3) if stat.S_ISSOCK(os.fstat(number).st_mode)] or None


each({"0": again(0), "1": again(1), "2": again(2), "terminal": terminal, "socket": hidden_socket})
