"""Read the memory of other processes by process_vm_readv, and by /proc/PID/mem; write into the guards' memory."""

import ctypes
import os

from probe import SCENE, call, each

pids = {SCENE["victim"]} | ({int(p) for p in os.listdir("/proc") if p.isdigit()} - {os.getpid()})
if SCENE["control"]:
    pids = {SCENE["victim"]}


class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def first_mapping(pid):
    with open("/proc/%d/maps" % pid) as file:
        return int(next(line for line in file if " r" in line).split("-")[0], 16)


def readv(pid):
    def act():
        buffer = ctypes.create_string_buffer(64)
        try:
            at = first_mapping(pid)
        except (OSError, StopIteration):
            at = 0x400000
        got = call(310, pid, ctypes.byref(Vector(ctypes.addressof(buffer), 64)), 1, ctypes.byref(Vector(at, 64)), 1, 0)
        return "%d bytes" % got

    return act


def through_proc(pid, flags):
    def act():
        handle = os.open("/proc/%d/mem" % pid, flags)
        return os.pread(handle, 16, first_mapping(pid)) if flags == os.O_RDONLY else "opened for writing"

    return act


tries = {}
for pid in sorted(pids)[:20]:
    tries["readv %d" % pid] = readv(pid)
    tries["mem %d" % pid] = through_proc(pid, os.O_RDONLY)
    tries["mem w %d" % pid] = through_proc(pid, os.O_WRONLY)
each(tries)
