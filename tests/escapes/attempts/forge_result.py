"""Fail, but make the supervisor believe that all went well: speak on its channels, end its helper, write its report."""

import json
import os
import signal

from probe import call, child, trying

REPORTS = [b'{"status": 0}', b"0\n", json.dumps({"status": 0, "limit": None, "exit_code": 0}).encode(), b"G"]
trying()


def speak(handle):
    for report in REPORTS:
        try:
            os.write(handle, report)
        except OSError:
            return


for pid in sorted(int(p) for p in os.listdir("/proc") if p.isdigit()):
    for number in range(64):
        try:
            speak(call(438, call(434, pid, 0), number, 0))
        except OSError:
            pass
        for path in ("/proc/%d/fd/%d" % (pid, number),):
            try:
                if pid != os.getpid():
                    speak(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
            except OSError:
                pass
for number in range(3, 64):
    speak(number)
parent = os.getppid()
if parent > 1:

    def end_parent():
        for number in (signal.SIGSTOP, signal.SIGKILL):
            try:
                os.kill(parent, number)
            except OSError:
                pass

    child(end_parent)
os._exit(3)
