"""Reserve space without writing it, and write through a shared mapping."""

import mmap
import os

from probe import SCENE, escaped, refused, sleep, trying

trying()
got, errors = 0, []
try:
    while got < SCENE["disk"]:
        file = os.open("r%d" % got, os.O_CREAT | os.O_RDWR)
        os.posix_fallocate(file, 0, 8 << 20)
        got += 8 << 20
        with mmap.mmap(file, 8 << 20) as view:
            view[-1] = 1
        os.close(file)
except (OSError, ValueError) as error:
    refused({"reserved": got, "error": str(error)})
else:
    escaped({"reserved": got})
    sleep(3)
