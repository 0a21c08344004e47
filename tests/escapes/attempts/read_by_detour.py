"""Reach the host's files through the roots, working folders and open files that /proc shows."""

import glob
import os

from probe import SCENE, each, holds_secret, read


def by(prefix):
    def look():
        for path in SCENE["canaries"]:
            try:
                found = holds_secret(read(prefix + path))
            except OSError:
                continue
            if found:
                return found
        return None

    return look


prefixes = ["/proc/%s/%s" % (pid, link) for pid in os.listdir("/proc") if pid.isdigit() for link in ("root", "cwd")]
prefixes += [p + "/../../../../.." for p in glob.glob("/proc/[0-9]*/fd/*")]
prefixes += ["/..", "/work/../../..", "/proc/self/cwd/../../..", "/mnt", "/host", "/hostfs", "/oldroot", "/newroot"]
each({prefix: by(prefix) for prefix in prefixes})
