"""Become root, or anybody else, by every call that changes who one is."""

import ctypes
import os

from probe import call, each, in_child


def ids(act):
    return lambda: in_child(lambda: act() or "now %d:%d" % (os.geteuid(), os.getegid()))


me = os.getuid()
tries = {
    "already": lambda: "uid 0" if 0 in os.getresuid() + os.getresgid() else None,
    "groups": lambda: [g for g in os.getgroups() if g not in (os.getgid(), 65534)] or None,
    "setuid": ids(lambda: os.setuid(0)),
    "setgid": ids(lambda: os.setgid(0)),
    "setreuid": ids(lambda: os.setreuid(0, 0)),
    "setresuid": ids(lambda: os.setresuid(0, 0, 0)),
    "setresgid": ids(lambda: os.setresgid(0, 0, 0)),
    "setgroups": ids(lambda: os.setgroups([0])),
    "another": ids(lambda: os.setuid(me + 1)),
    "capset": ids(lambda: call(126, (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6))),
    "keep caps": ids(lambda: call(157, 47, 2, 21, 0, 0)),
}
each(tries)
