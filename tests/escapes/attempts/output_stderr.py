"""Flood stderr, from a grandchild."""

import os

from probe import SCENE, child, escaped, trying

trying()
sent = 0


def flood():
    global sent
    while sent < SCENE["flood"]:
        sent += os.write(2, b"y" * 65536)
    escaped({"sent": sent})


os.waitpid(child(lambda: os.waitpid(child(flood), 0)), 0)
