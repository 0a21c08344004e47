"""Run programs that have the set-user-id bit: one given on purpose in a read-only folder, and all the system's."""

import os
import stat
import subprocess

from probe import SCENE, each


def effective(path, *arguments):
    def act():
        done = subprocess.run([path, *arguments], capture_output=True, timeout=10, stdin=subprocess.DEVNULL)
        return "uid 0" if done.stdout.strip() == b"0" else None

    return act


def own():
    with open("/usr/bin/id", "rb") as source, open("own", "wb") as target:
        target.write(source.read())
    os.chmod("own", 0o6755)
    before = os.stat("own").st_uid
    os.chown("own", 0, 0)
    return "made, was of %d" % before


tries = {"given": effective(SCENE["setuid_id"], "-u"), "own": own}
for folder in ("/usr/bin", "/usr/sbin", "/bin", "/sbin", "/usr/lib"):
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        path = folder + "/" + name
        try:
            special = os.stat(path).st_mode & (stat.S_ISUID | stat.S_ISGID) and os.path.isfile(path)
        except OSError:
            continue
        if special and name in ("su", "sudo", "pkexec", "mount") and not SCENE["control"]:
            tries[path] = effective(path, *{"su": ["-c", "id -u"], "sudo": ["-n", "id", "-u"]}.get(name, ["id", "-u"]))
each(tries)
