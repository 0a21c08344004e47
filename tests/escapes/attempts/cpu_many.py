"""Burn processor time in four processes, none of which takes much."""

import time

from probe import SCENE, child, escaped, trying


def burn():
    while time.process_time() < SCENE["cpu"]:
        pass


trying()
children = [child(burn) for _ in range(4)]
burn()
for pid in children:
    import os

    os.waitpid(pid, 0)
escaped("5 times %s s of processor time" % SCENE["cpu"])
