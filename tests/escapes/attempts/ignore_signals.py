"""Ignore every signal that can be ignored, block the rest, and stay."""

import signal

from probe import escaped, sleep, trying

for number in range(1, signal.NSIG):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, signal.NSIG))
trying()
sleep(60)
escaped("still here")
