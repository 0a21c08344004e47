"""Fork in every process again and again, as deep as it goes, without ever giving up."""

import os
import time

from probe import trying

trying()
generation = 0
while generation < 14:
    try:
        if os.fork() == 0:
            generation += 1
    except OSError:
        time.sleep(0.01)
while True:
    time.sleep(1)
