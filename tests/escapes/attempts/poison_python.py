"""Leave code behind that a later run would import: in the interpreter, in site-packages, in byte code, in .pth."""

import os
import site
import sys
import sysconfig

from probe import SCENE, TOKEN, done, each

FOLDERS = [sys.prefix, sys.base_prefix, os.path.dirname(sys.executable), os.path.dirname(os.__file__)]
FOLDERS += [os.path.dirname(os.__file__) + "/__pycache__", sysconfig.get_path("purelib"), *SCENE["read_only"]]
FOLDERS += site.getsitepackages()


def add(folder, file):
    with open(os.path.join(folder, file), "w") as handle:
        handle.write("import os  # " + TOKEN)
    return "written"


def over(path):
    with open(path, "r+b"):
        return "opened"


def gone(path):
    os.rename(path, path + TOKEN)
    return "renamed"


tries = {}
for folder in SCENE["read_only"] if SCENE["control"] else sorted(set(FOLDERS)):
    for file in (TOKEN + ".pth", "sitecustomize.py", "usercustomize.py", TOKEN + ".pyc"):
        tries[folder + " " + file] = lambda folder=folder, file=file: add(folder, file)
for path in SCENE["read_only_files"] + ([] if SCENE["control"] else [os.__file__, sys.executable]):
    tries["over " + path] = lambda path=path: over(path)
    tries["chmod " + path] = lambda path=path: os.chmod(path, 0o777) or "changed"
    tries["rename " + path] = lambda path=path: gone(path)
    tries["utime " + path] = lambda path=path: os.utime(path, (1, 1)) or "changed"
    tries["xattr " + path] = lambda path=path: os.setxattr(path, "user.x", b"1") or "changed"
each(tries)
done()
