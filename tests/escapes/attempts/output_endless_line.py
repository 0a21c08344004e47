"""Write without ever ending a line, with zero bytes, escapes and broken UTF-8, from ten processes at once."""

import os

from probe import SCENE, child, escaped, trying

trying()


def flood():
    sent = 0
    while sent < SCENE["flood"]:
        sent += os.write(1, b"\x00\xff\x1b]0;owned\x07\xc3" * 8192)
    escaped({"sent": sent})


for flooding in [child(flood) for _ in range(10)]:
    os.waitpid(flooding, 0)
