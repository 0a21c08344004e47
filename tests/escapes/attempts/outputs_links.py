"""Leave links as outputs: to secrets of the host, to folders, in circles, hard links to read-only files."""

import os

from probe import SCENE, done

os.makedirs("folder", exist_ok=True)
for number, path in enumerate(SCENE["canaries"] + ["/etc/passwd", "/etc/shadow", "/proc/self/environ", "/dev/zero"]):
    os.symlink(path, "link%d" % number)
    os.symlink(os.path.dirname(path), "folder/link%d" % number)
os.symlink(".", "circle")
os.symlink("b", "a")
os.symlink("a", "b")
os.symlink("/proc/self/fd/0", "waits")
for path in SCENE["read_only_files"]:
    try:
        os.link(path, "hard")
    except OSError:
        pass
with open("honest", "w") as file:
    file.write("honest")
done()
