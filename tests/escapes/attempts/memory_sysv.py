"""Fill System V shared memory segments and let go of them: they stay, and no process has them."""

import ctypes

from probe import LIBC, SCENE, c, escaped, refused, sleep, trying

LIBC.shmat.restype = ctypes.c_void_p
STEP = 16 << 20
held = 0
trying()
try:
    while held < SCENE["memory"]:
        segment = c("shmget", 0, ctypes.c_size_t(STEP), 0o1600)
        at = LIBC.shmat(segment, None, 0)
        if at in (None, ctypes.c_void_p(-1).value):
            raise OSError(ctypes.get_errno(), "shmat")
        ctypes.memset(at, 1, STEP)
        LIBC.shmdt(ctypes.c_void_p(at))
        if SCENE["control"]:
            c("shmctl", segment, 0, None)
        held += STEP
        trying(held)
except OSError as error:
    refused({"held": held, "error": str(error)})
else:
    sleep(3)
    escaped({"held": held})
