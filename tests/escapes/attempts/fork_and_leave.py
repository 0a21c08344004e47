"""Live by forking and ending at once, so that no list of processes ever holds it, while the first process ends.

Where ended processes are collected more slowly than they come, the limit on their number ends it.
"""

import os
import time

from probe import done, trying

trying()
if os.fork() == 0:
    os.setsid()
    while True:
        try:
            if os.fork():
                os._exit(0)
        except OSError:
            pass
        time.sleep(0.0005)
time.sleep(0.3)
done("one is on the run")
