"""Burn processor time in a relay of short-lived children, so that no process that can be seen has used much."""

import os
import time

from probe import SCENE, child, escaped, trying


def burn():
    while time.process_time() < 0.15:
        pass


trying()
while sum(os.times()[:4]) < SCENE["cpu"] * 4:
    os.waitpid(child(burn), 0)
escaped("%s s of processor time" % sum(os.times()[:4]))
