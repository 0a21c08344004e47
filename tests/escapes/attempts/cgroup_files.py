"""Leave or loosen its control group: write its files, move out of it, make one, name a program to run on release."""

import glob
import os

from probe import SCENE, each


def write(path, text):
    def act():
        with open(path, "w") as file:
            if not SCENE["control"]:
                file.write(text)
        return "written"

    return act


def make(folder):
    def act():
        os.mkdir(folder + "/xkg-escape")
        os.rmdir(folder + "/xkg-escape")
        return "made"

    return act


roots = ["/sys/fs/cgroup", "/cgroup", "/dev/cgroup"] + glob.glob("/sys/fs/cgroup/*")
tries = {}
for root in roots:
    tries["make in " + root] = make(root)
    for file in ("cgroup.procs", "tasks", "release_agent", "notify_on_release", "memory.limit_in_bytes", "memory.max"):
        tries[root + "/" + file] = write(root + "/" + file, "1048576000")
    for path in glob.glob(root + "/**/cgroup.procs", recursive=True)[:20]:
        tries[path] = write(path, str(os.getpid()))
each(tries)
