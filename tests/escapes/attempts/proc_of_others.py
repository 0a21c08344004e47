"""Read what /proc tells of other processes: environments, command lines, open files, and find the host's secrets."""

import os

from probe import SCENE, each, holds_secret, read


def shown(path):
    return lambda: holds_secret(read(path, 1 << 20))


def opened(pid):
    def act():
        for number in os.listdir("/proc/%s/fd" % pid):
            try:
                if holds_secret(read("/proc/%s/fd/%s" % (pid, number))):
                    return number
            except OSError:
                continue
        return None

    return act


tries = {}
for pid in sorted({p for p in os.listdir("/proc") if p.isdigit()} | {str(SCENE["victim"]), "self"}):
    if SCENE["control"] and pid != str(SCENE["victim"]):
        continue
    for what in ("environ", "cmdline", "task/%s/environ" % pid, "stat", "maps", "mountinfo", "auxv", "cgroup"):
        tries["%s %s" % (pid, what)] = shown("/proc/%s/%s" % (pid, what))
    tries["%s fd" % pid] = opened(pid)
tries["victim there"] = lambda: (os.path.exists("/proc/%d/stat" % SCENE["victim"]) and SCENE["victim"] > 400) or None
each(tries)
