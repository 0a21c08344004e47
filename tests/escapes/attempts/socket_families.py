"""Open a socket of every family the kernel knows; only unix, inet, inet6 and netlink are a program's daily bread."""

import socket

from probe import each

DAILY = {1, 2, 10, 16}


def opened(family, kind):
    return lambda: socket.socket(family, kind) and "opened"


each(
    {
        "%d/%d" % (family, kind): opened(family, kind)
        for family in range(47)
        for kind in (1, 2, 3, 5)
        if family not in DAILY
    }
)
