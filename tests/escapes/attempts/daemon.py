"""Become a daemon by the book, deaf to all signals, with streams of its own, and end."""

import os
import signal

from probe import child, done, sleep


def second():
    os.chdir("/")
    devnull = os.open("/dev/null", os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(devnull, stream)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    sleep(120)


def first():
    os.setsid()
    for _ in range(5):
        child(second)


os.waitpid(child(first), 0)
done("five daemons")
