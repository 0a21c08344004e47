"""Touch one page in each two megabytes of a huge mapping: the kernel's page tables grow, the process hardly does."""

import ctypes
import mmap

from probe import LIBC, SCENE, escaped, refused, sleep, trying

LIBC.mmap.restype = ctypes.c_void_p
LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
SIZE = 1 << 30
held = 0
trying()
while held < SCENE["memory"]:
    at = LIBC.mmap(None, SIZE, mmap.PROT_READ, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, -1, 0)
    if at in (None, ctypes.c_void_p(-1).value):
        refused({"tables": held, "error": ctypes.get_errno()})
        break
    LIBC.madvise(ctypes.c_void_p(at), ctypes.c_size_t(SIZE), 15)
    for page in range(at, at + SIZE, 2 << 20):
        ctypes.string_at(page, 1)
        held += 4096
    trying(held)
else:
    sleep(3)
    escaped({"tables": held})
