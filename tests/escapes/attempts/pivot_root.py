"""Change the root: pivot_root, chroot, and the old way out of a chroot."""

import ctypes
import os

from probe import SCENE, call, each, holds_secret, read

os.makedirs("jail/old", exist_ok=True)
outside = os.open("/", os.O_RDONLY)


def leave():
    os.chroot("jail")
    os.fchdir(outside)
    for _ in range(64):
        os.chdir("..")
    os.chroot(".")
    return "out, with " + str([holds_secret(read(path)) for path in SCENE["canaries"] if os.path.exists(path)])


each(
    {
        "pivot_root": lambda: call(155, ctypes.c_char_p(b"jail"), ctypes.c_char_p(b"jail/old")),
        "pivot_root .": lambda: call(155, ctypes.c_char_p(b"."), ctypes.c_char_p(b".")),
        "chroot": leave,
    }
)
