"""Use the host's System V memory, semaphores and messages, and its POSIX message queues and semaphores."""

import ctypes
import os

from probe import LIBC, SCENE, TOKEN, c, each

LIBC.shmat.restype = ctypes.c_void_p


def memory():
    segment = c("shmget", SCENE["ipc_key"], ctypes.c_size_t(0), 0)
    at = LIBC.shmat(segment, None, 0)
    if at not in (None, ctypes.c_void_p(-1).value):
        ctypes.memmove(at, TOKEN.encode()[:8], 8)
    return "found"


def listed():
    with open("/proc/sysvipc/shm") as file:
        return next((line for line in file if str(SCENE["ipc_key"]) in line.split()), None)


def queue():
    with open("/dev/mqueue/" + SCENE["queue"]) as file:
        return file.read(100)


each(
    {
        "shm": memory,
        "sem": lambda: "%d" % c("semget", SCENE["ipc_key"], 0, 0),
        "msg": lambda: "%d" % c("msgget", SCENE["ipc_key"], 0),
        "listed": listed,
        "queue": queue,
        "posix shm": lambda: os.read(os.open("/dev/shm/" + SCENE["posix_shm"], os.O_RDWR), 8),
    }
)
