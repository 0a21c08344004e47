"""Hang in vfork: the parent waits in the kernel, and only a kill of the child ends it."""

import ctypes
import time

from probe import call, escaped, trying

CLONE_VFORK = 0x4000
trying()
if call(56, CLONE_VFORK | 17, 0, 0, 0, 0) == 0:
    ctypes.CDLL(None).pause()
time.sleep(60)
escaped("came back")
