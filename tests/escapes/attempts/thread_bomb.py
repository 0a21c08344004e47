"""Start 300 threads that stay."""

import os
import threading

from probe import escaped, refused, sleep, trying

trying()
threading.stack_size(65536)
started = 0
try:
    while started < 300:
        threading.Thread(target=sleep, args=(60,), daemon=True).start()
        started += 1
except (RuntimeError, OSError, MemoryError) as error:
    refused({"started": started, "error": str(error)})
else:
    escaped({"started": started})
os._exit(0)
