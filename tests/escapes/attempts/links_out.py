"""Link to files of the host from the working folder: hard links, and writing and reading through symbolic ones."""

import os

from probe import SCENE, TOKEN, each, holds_secret, read


def through(path):
    os.symlink(path, "s%d" % len(os.listdir(".")))
    link = sorted((p for p in os.listdir(".") if os.path.islink(p)), key=lambda p: os.lstat(p).st_ctime_ns)[-1]
    return holds_secret(read(link))


def hard(path):
    target = "h%d" % len(os.listdir("."))
    os.link(path, target, follow_symlinks=False)
    with open(target, "ab") as file:
        file.write(TOKEN.encode())
    return "written"


tries = {"symlink " + path: lambda path=path: through(path) for path in SCENE["canaries"] + ["/etc/shadow"]}
tries.update({"link " + path: lambda path=path: hard(path) for path in SCENE["canaries"] + SCENE["read_only_files"]})
tries["link another's"] = lambda: hard("/proc/1/exe")
each(tries)
