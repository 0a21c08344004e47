"""Stop itself and all its group, so that nothing goes on and nothing ends."""

import os
import signal

from probe import child, escaped, sleep, trying

child(lambda: sleep(60))
trying()
os.kill(0, signal.SIGSTOP)
sleep(60)
escaped("woken")
