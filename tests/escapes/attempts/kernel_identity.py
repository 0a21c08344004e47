"""Change what belongs to the whole machine: its name, its clock, its log, its users' messages."""

import os
import socket
import time

from probe import SCENE, each


def write(path):
    def act():
        handle = os.open(path, os.O_WRONLY)
        if not SCENE["control"]:
            os.write(handle, b"owned\n")
        return "written"

    return act


def clock():
    if SCENE["control"]:
        return None
    time.clock_settime(time.CLOCK_REALTIME, time.time() + 3600)
    return "set"


def host():
    if SCENE["control"]:
        return None
    socket.sethostname("owned")
    return "set"


tries = {path: write(path) for path in ("/dev/kmsg", "/etc/hosts", "/etc/resolv.conf", "/etc/passwd", "/etc/group")}
if SCENE["control"]:
    tries = {"/dev/kmsg": tries["/dev/kmsg"]}
each(dict(tries, clock=clock, host=host))
