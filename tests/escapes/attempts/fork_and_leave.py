"""Live by forking and ending at once, so that no list of processes ever holds it, while the first process ends."""

import os
import time

from probe import done

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
