"""Take shared anonymous memory and let go of the pages' mapping in turns, so that no process ever has it all."""

import mmap
import os

from probe import SCENE, escaped, refused, sleep, trying

STEP = 16 << 20
held = 0
trying()
maps = []
try:
    while held < SCENE["memory"]:
        block = mmap.mmap(-1, STEP, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
        maps.append(block)
        if os.fork() == 0:
            for at in range(0, STEP, 4096):
                block[at] = 1
            os._exit(0)
        if os.wait()[1] != 0:
            raise MemoryError
        held += STEP
        trying(held)
except (OSError, MemoryError) as error:
    refused({"held": held, "error": str(error)})
else:
    sleep(3)
    escaped({"held": held})
