"""Kill all it can: -1, its group, its parent, number one and every number that /proc shows."""

import os
import signal

from probe import child, trying

trying(sorted(int(p) for p in os.listdir("/proc") if p.isdigit()))
child(lambda: os.kill(-1, signal.SIGKILL))
os.wait()
for pid in sorted((int(p) for p in os.listdir("/proc") if p.isdigit()), reverse=True):
    if pid != os.getpid():
        for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
            try:
                os.kill(pid, number)
            except OSError:
                pass
os.kill(os.getppid(), signal.SIGKILL) if os.getppid() else None
os.killpg(0, signal.SIGKILL)
