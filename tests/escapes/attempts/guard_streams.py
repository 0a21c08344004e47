"""Write into the open files of whatever guards this run, and use folders that it holds open."""

import glob
import os

from probe import SCENE, each

mine = {os.path.realpath("/proc/self/fd/%d" % number) for number in range(3)}


def use(path):
    def act():
        where = os.readlink(path)
        if os.path.isdir(path + "/"):
            listed = os.listdir(path + "/")
            return (
                None if os.path.realpath(path).startswith(("/proc", "/work", "/")) and where.startswith("/") else listed
            )
        if where in mine or (
            where.startswith(("pipe:", "socket:")) and where in {os.readlink("/proc/self/fd/%d" % n) for n in range(3)}
        ):
            return None
        os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
        return None if where == "/dev/null" else "opened %s for writing" % where

    return act


paths = [path for path in glob.glob("/proc/[0-9]*/fd/*") if path.split("/")[2] != str(os.getpid())]
if SCENE["control"]:
    paths = glob.glob("/proc/%d/fd/*" % SCENE["victim"])
each(dict({path: use(path) for path in paths}, none=lambda: None))
