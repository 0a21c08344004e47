"""Mount something new: a tmpfs, proc, sysfs, cgroups, an overlay, the new mount calls."""

import ctypes
import os

from probe import SCENE, c, call, each

os.makedirs("mounted", exist_ok=True)


def mount(kind, source=b"none", data=None):
    return lambda: c("mount", source, b"mounted", kind, ctypes.c_ulong(0), data)


tries = {kind: mount(kind.encode()) for kind in ("tmpfs", "proc", "sysfs", "cgroup2", "devpts", "mqueue", "ramfs")}
tries["cgroup"] = mount(b"cgroup", data=b"memory")
tries["overlay"] = mount(b"overlay", data=b"lowerdir=/usr,upperdir=/work,workdir=/tmp")
if not SCENE["control"]:
    tries["disk"] = mount(b"ext4", b"/dev/vda")
tries["bind"] = lambda: c("mount", b"/proc", b"mounted", None, ctypes.c_ulong(4096), None)
tries["fsopen"] = lambda: call(430, ctypes.c_char_p(b"tmpfs"), 0)
tries["open_tree clone"] = lambda: call(428, -100, ctypes.c_char_p(b"/"), 1)
tries["move_mount"] = lambda: call(429, -100, ctypes.c_char_p(b"/proc"), -100, ctypes.c_char_p(b"mounted"), 0)
each(tries)
