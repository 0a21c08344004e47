"""Flood stdout with lines."""

import os

from probe import SCENE, escaped, trying

trying()
line = b"x" * 79 + b"\n"
sent = 0
while sent < SCENE["flood"]:
    sent += os.write(1, line * 800)
escaped({"sent": sent})
