"""Make system calls by the kernel's other doors, which a filter may forget: 32 bits by int 0x80, and x32."""

import ctypes
import errno
import mmap
import os

from probe import LIBC, SCENE, call, each, in_child

LIBC.mmap.restype = ctypes.c_void_p
LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
LOW = 0x40


def int80(number, *arguments):
    """mov eax..edx; int 0x80; ret, in a page below 4 GB."""
    first, second, third = (list(arguments) + [0, 0, 0])[:3]
    code = b"\x53\xb8" + number.to_bytes(4, "little") + b"\xbb" + (first & 0xFFFFFFFF).to_bytes(4, "little")
    code += b"\xb9" + (second & 0xFFFFFFFF).to_bytes(4, "little") + b"\xba" + (third & 0xFFFFFFFF).to_bytes(4, "little")
    code += b"\xcd\x80\x5b\xc3"
    page = LIBC.mmap(None, 4096, 7, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | LOW, -1, 0)
    if page in (None, ctypes.c_void_p(-1).value):
        raise OSError(ctypes.get_errno(), "no executable memory")
    ctypes.memmove(page, code, len(code))
    got = ctypes.CFUNCTYPE(ctypes.c_int)(page)()
    if got < 0:
        if -got in (errno.EPERM, errno.ENOSYS, errno.EACCES):
            raise OSError(-got, os.strerror(-got))
        return "reached: " + errno.errorcode.get(-got, str(got))
    return "%d" % got


def x32(number, *arguments):
    def act():
        try:
            return "%d" % call(number | 0x40000000, *arguments)
        except OSError as error:
            if error.errno in (errno.EPERM, errno.ENOSYS, errno.EACCES):
                raise
            return "reached: " + errno.errorcode[error.errno]

    return lambda: in_child(act)


tries = {
    "int80 getpid": lambda: in_child(lambda: int80(20)),
    "int80 unshare": lambda: in_child(lambda: int80(310, 0x10000000)),
    "int80 keyctl": lambda: in_child(lambda: int80(288, 0, -3)),
    "int80 ptrace": lambda: in_child(lambda: int80(26, 0x4206, 1)),
    "int80 bpf": lambda: in_child(lambda: int80(357, 0, 0, 0)),
    "x32 getpid": x32(39),
    "x32 unshare": x32(272, 0x10000000),
    "x32 keyctl": x32(250, 0, -3),
}
each(tries, harmless=() if SCENE["control"] else ("int80 getpid", "x32 getpid"))
