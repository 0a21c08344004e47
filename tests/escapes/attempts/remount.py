"""Make a read-only mount writable again, by every way there is."""

import ctypes

from probe import SCENE, c, call, each

REMOUNT_BIND = 32 | 4096
tries = {}
for folder in SCENE["mounts"]:
    target = folder.encode()
    tries["remount " + folder] = lambda target=target: c(
        "mount", None, target, None, ctypes.c_ulong(REMOUNT_BIND), None
    )
    tries["bind over " + folder] = lambda target=target: c("mount", b"/work", target, None, ctypes.c_ulong(4096), None)
    tries["umount " + folder] = lambda target=target: c("umount2", target, 2)
    attributes = (ctypes.c_uint64 * 4)(0, 1, 0, 0)
    tries["mount_setattr " + folder] = lambda target=target, attributes=attributes: call(
        442, -100, ctypes.c_char_p(target), 0, attributes, 32
    )
each(tries)
