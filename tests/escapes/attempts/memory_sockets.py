"""Fill the buffers of sockets and pipes, which are the kernel's memory, from many processes."""

import os
import socket

from probe import SCENE, child, escaped, refused, sleep, trying

block = bytes(1 << 16)
readable, writable = os.pipe()


def fill():
    mine, pairs = 0, []
    try:
        while True:
            pair = socket.socketpair()
            pairs.append(pair)
            for end in pair:
                end.setblocking(False)
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 24)
                try:
                    while True:
                        mine += end.send(block)
                except BlockingIOError:
                    pass
    except OSError:
        os.write(writable, b"%d\n" % mine)
    sleep(20)


trying()
held = ended = 0
for _ in range(20):
    try:
        child(fill)
    except OSError:
        break
    line = os.read(readable, 100)
    held += int(line or 0)
    trying(held)
    if held > SCENE["memory"]:
        escaped({"held": held})
        sleep(3)
        break
else:
    refused({"held": held})
