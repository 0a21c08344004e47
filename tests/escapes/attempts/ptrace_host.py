"""Trace a process of the host, the launcher, and whatever guards this run."""

import os

from probe import SCENE, c, each

LIBC_ATTACH, LIBC_SEIZE = 16, 0x4206
pids = [SCENE["victim"]]
if not SCENE["control"]:
    pids += [SCENE["launcher"], 1, os.getppid()] + [
        int(p) for p in os.listdir("/proc") if p.isdigit() and int(p) != os.getpid()
    ]
tries = {"seize %d" % pid: lambda pid=pid: c("ptrace", LIBC_SEIZE, pid, None, None) or "seized" for pid in set(pids)}
if not SCENE["control"]:
    tries.update(
        {
            "attach %d" % pid: lambda pid=pid: c("ptrace", LIBC_ATTACH, pid, None, None) or "attached"
            for pid in set(pids)
        }
    )
each(tries)
